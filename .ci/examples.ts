// Writes what is made from the list of queries: the example answers of the contract document, from the sample lake, and
// the README's table of queries. Usage: npm run examples
import { readFile, writeFile } from 'node:fs/promises'
import { contractExamples } from '../test/support/contract-examples.ts'
import { queryTable } from '../test/support/query-table.ts'

const readme = new URL('../README.md', import.meta.url)
const text = await readFile(readme, 'utf8')
const table = /(?<=test\/docs\.test\.ts -->\n).*?(?=\n<!-- \/queries -->)/s
await writeFile(readme, text.replace(table, queryTable))
await writeFile(new URL('../api/contract/openapi-examples.json', import.meta.url), await contractExamples())
