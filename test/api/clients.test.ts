import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { openapi } from '../../api/contract/openapi.ts'
import { temporaryFolder } from '../support/given.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
/** The generators need a compiler of their own, which must not be installed with the project's: .ci/run installs them. */
const generators = join(root, '.ci/clients/node_modules')
const isInstalled = existsSync(generators)

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'preserve',
  moduleResolution: 'bundler',
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: [],
}

const programs = {
  'openapi-typescript': `
    import type { operations } from './openapi-typescript'
    type Answer<Id extends keyof operations> = operations[Id]['responses'][200]['content']['application/json']

    export const total = (
      inflation: Answer<'analyst-inflation'>,
      offers: Answer<'shopper-best-price'>,
      found: Answer<'shopper-deal-finder'>,
      shelf: Answer<'marketing-competitive-landscape'>,
    ): number => {
      let sum = 0
      for (const { avg_price = 0 } of inflation.time_series ?? []) sum += avg_price
      for (const { price = 0, list_price } of offers.prices ?? []) sum += list_price ?? price
      for (const { price = 0, gpc } of found.deals ?? []) sum += gpc?.code === undefined ? price : 0
      for (const { price = 0, brand } of shelf.products ?? []) sum += brand?.length ?? price
      return sum + (inflation.lfl_ci?.low ?? 0)
    }`,
  '@hey-api/openapi-ts': `
    import { analystInflation, marketingCompetitiveLandscape, shopperBestPrice, shopperDealFinder } from './hey-api'

    export const total = async (): Promise<number> => {
      const query = { category: 'coffee' }
      const { data: inflation } = await analystInflation({ query })
      const { data: offers } = await shopperBestPrice({ query: { q: 'coffee' } })
      const { data: found } = await shopperDealFinder({ query })
      const { data: shelf } = await marketingCompetitiveLandscape({ query })
      let sum = 0
      for (const { avg_price = 0 } of inflation?.time_series ?? []) sum += avg_price
      for (const { price = 0, list_price } of offers?.prices ?? []) sum += list_price ?? price
      for (const { price = 0, gpc } of found?.deals ?? []) sum += gpc?.code === undefined ? price : 0
      for (const { price = 0, brand } of shelf?.products ?? []) sum += brand?.length ?? price
      return sum + (inflation?.lfl_ci?.low ?? 0)
    }`,
}

describe.skipIf(!isInstalled)('clients generated from /openapi.json', () => {
  let folder: string

  const node = (...args: string[]) => run(process.execPath, args, { cwd: folder })
  const generate = (bin: string, ...args: string[]) => node(join(generators, bin), ...args)

  /** What the compiler says of a program beside the generated code; empty where it compiles. */
  const compile = async (program: string): Promise<string> => {
    await writeFile(join(folder, 'program.ts'), program)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    return node(join(root, 'node_modules/tsc/bin/tsc'), '-p', folder).then(
      () => '',
      ({ stdout }) => stdout,
    )
  }

  beforeAll(async () => {
    folder = await temporaryFolder()
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(openapi({ base_url: 'https://prices.example.org' })))
    await generate('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'openapi-typescript.ts')
    await generate('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey-api', '--no-log-file', '--silent')
  })

  test.each(Object.entries(programs))('%s reads lists without a cast', async (_, program) => {
    expect(await compile(program)).toBe('')
  })

  test.each(Object.entries(programs))('%s refuses fields that do not exist', async (_, program) => {
    expect(await compile(program.replace('avg_price = 0', 'average = 0'))).toContain("'average' does not exist")
  })

  test('openapi-typescript generates no field of unknown type in an answer', async () => {
    const schemas = (text: string) => text.slice(text.indexOf('schemas: {'), text.indexOf('responses: {'))
    const types = schemas(await readFile(join(folder, 'openapi-typescript.ts'), 'utf8'))
    expect(types).toContain('Inflation')
    expect(types.replace(/\/\*\* @enum \{unknown\} \*\//g, '')).not.toMatch(/\bunknown\b(?!_|")/)
  })
})
