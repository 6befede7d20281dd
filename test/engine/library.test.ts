import { beforeAll, describe, expect, test } from 'vitest'
import * as library from '../../engine/library.ts'
import { Engine, type EngineError, inflation, queries, stats } from '../../engine/library.ts'
import { docExamples } from '../support/docstrings.ts'
import { openEngine, sampleLake } from '../support/given.ts'

let lake: string
let as_of: Date
let engine: Engine

beforeAll(async () => {
  ;({ lake, as_of } = await sampleLake())
  engine = await openEngine(lake, { as_of })
})

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

test('the library exports every query by its name', () => {
  expect(queries).not.toHaveLength(0)
  for (const query of queries) expect(library).toHaveProperty([camelCase(query.name)], query)
})

const AsyncFunction = (async () => undefined).constructor as new (
  ...text: string[]
) => (...values: unknown[]) => Promise<void>

/** Runs an example over the sample lake, at the moment after its last day. Returns what it prints. */
const run = async ({ imports, code }: { imports: string[]; code: string }): Promise<unknown[][]> => {
  const printed: unknown[][] = []
  const sample = { open: (_: string, options = {}) => Engine.open(lake, { as_of, ...options }) }
  const globals = { console: { log: (...values: unknown[]) => printed.push(values) } }
  // One that imports something is complete; another goes on where an engine is open.
  const given: Record<string, unknown> = imports.length > 0 ? {} : { ...library, engine }
  for (const name of imports) given[name] = (library as Record<string, unknown>)[name]
  const scope = { ...given, ...('Engine' in given ? { Engine: sample } : {}), ...globals }
  await new AsyncFunction(...Object.keys(scope), `{ ${code.replaceAll(' as const', '')}\n}`)(...Object.values(scope))
  return printed
}

describe('the examples of docstrings', () => {
  const examples = docExamples()

  test('call every query and cover the library, the engine and its errors', () => {
    for (const query of queries)
      expect(examples.map(({ code }) => code).join('\n')).toContain(`engine.ask(${camelCase(query.name)}, `)
    expect(examples.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['library.ts', 'query/engine.ts', 'contract/errors.ts']),
    )
  })

  test.each(examples)('run and print a value: $file: $code', async (example) => {
    const printed = await run(example)
    expect(printed.length).toBeGreaterThan(0)
    expect(printed.flat()).not.toContain(undefined)
  })
})

describe('engine.ask', () => {
  const refusal = (params: object): Promise<EngineError> =>
    engine.ask(inflation, params as { category: string }).then(
      () => {
        throw new Error('answered')
      },
      (error) => error,
    )

  test('gives the same answer as plan and run', async () => {
    const params = { category: 'coffee', days: 90 }
    const plan = await engine.plan(inflation, library.readParams(inflation, { ...params, days: '90' }))
    expect(await engine.ask(inflation, params)).toEqual(await engine.run(plan))
  })

  test('answers as of another moment', async () => {
    const { meta } = await engine.ask(inflation, { category: 'coffee' }, { now: new Date('2026-10-01') })
    expect(meta.computed_at).toBe('2026-10-01T00:00:00Z')
  })

  test('refuses parameters that the query does not have', async () => {
    expect(await refusal({ category: 'coffee', weeks: 3 })).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/^weeks: is not a parameter of analyst\/inflation; it accepts .*days/),
      details: { parameter: 'weeks', accepted: expect.arrayContaining(['category', 'as_of']) },
    })
    expect(await refusal({})).toMatchObject({ message: 'category: required; send category, department or both' })
    expect(await refusal({ category: 'coffee', days: 0 })).toMatchObject({ details: { parameter: 'days' } })
    expect(await refusal({ category: undefined })).toMatchObject({ details: { parameter: 'category' } })
  })

  test('refuses a query whose signal is aborted', async () => {
    const signal = AbortSignal.abort()
    await expect(engine.ask(stats, {}, { signal })).rejects.toMatchObject({ code: 'NOT_READY' })
  })
})

/** Holds while it compiles: a code narrows the details. */
const retailersInstead = (error: EngineError): readonly string[] =>
  error.code === 'RETAILER_NOT_SERVING_ELIGIBLE' ? error.details.serving_eligible_retailers : []

test('the code of a refusal determines the type of its details', async () => {
  const cause: unknown = await engine.ask(inflation, { category: 'laptops', retailer: 'nowhere' }).catch((e) => e)
  expect(cause).toBeInstanceOf(library.EngineError)
  if (cause instanceof library.EngineError) expect(retailersInstead(cause)).toContain('kettlecart')
  expect(new library.EngineError('NOT_READY', 'closed').details).toEqual({})
})
