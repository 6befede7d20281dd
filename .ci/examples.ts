// Writes the example answers of the contract document, from the sample lake. Usage: npm run examples
import { writeFile } from 'node:fs/promises'
import { contractExamples } from '../test/support/contract-examples.ts'

await writeFile(new URL('../api/openapi-examples.json', import.meta.url), await contractExamples())
