// Writes what is made from the list of queries: the README's table of them, the list that the help of `shelfmark` shows
// without loading them, and the example answers of the contract document, from the sample lake. Usage: npm run examples
import { readFile, writeFile } from 'node:fs/promises'
import { contractExamples } from '../test/support/contract-examples.ts'
import { commandList, queryTable } from '../test/support/query-table.ts'

const readme = new URL('../README.md', import.meta.url)
const text = await readFile(readme, 'utf8')
const table = /(?<=test\/docs\.test\.ts -->\n).*?(?=\n<!-- \/queries -->)/s
await writeFile(readme, text.replace(table, queryTable))
await writeFile(new URL('../engine/show/cli/commands.json', import.meta.url), commandList())
await writeFile(new URL('../api/contract/openapi-examples.json', import.meta.url), await contractExamples())
