// Writes what is made from the list of queries: their table, the list that the help of `shelfmark` shows without loading
// them, the README's plot and page of a terminal, and the example answers of the contract document, from the sample lake.
// Usage: npm run examples
import { readFile, writeFile } from 'node:fs/promises'
import { contractExamples } from '../test/support/contract-examples.ts'
import { commandList, queryTable } from '../test/support/query-table.ts'
import { readmeExamples } from '../test/support/readme.ts'

/** Writes text in place of what a document has between its marks. */
const fill = async (path: string, mark: string, text: string): Promise<void> => {
  const file = new URL(`../${path}`, import.meta.url)
  const between = new RegExp(`(?<=<!-- ${mark}:.*-->\\n)[^]*?(?=\\n<!-- /${mark} -->)`)
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace(between, () => text),
  )
}

const { plot, terminal } = await readmeExamples()
await fill('README.md', 'terminal', terminal)
await writeFile(new URL('../.github/inflation.svg', import.meta.url), plot)
await fill('engine/queries/README.md', 'queries', queryTable())
await writeFile(new URL('../engine/show/cli/commands.json', import.meta.url), commandList())
await writeFile(new URL('../api/contract/openapi-examples.json', import.meta.url), await contractExamples())
