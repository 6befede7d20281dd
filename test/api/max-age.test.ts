import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { Engine, EngineError, findQuery, queries, queryId } from '../../engine/index.ts'
import { runCli } from '../../engine/show/cli.ts'
import { atEnd } from '../support/at-end.ts'
import { type Service, samplePaths, send, serveSample } from '../support/http.ts'
import { expectPromisedRefusal } from '../support/refusals.ts'

/** A window that ended long before the newest observation. */
const past = '/v1/analyst/inflation?category=coffee&from=2026-08-01&to=2026-09-01'
const current = '/v1/analyst/category-summary?category=coffee'

let service: Service
let engine: Engine
beforeAll(async () => {
  service = await serveSample()
  const { lake, as_of } = service.config
  engine = await Engine.open(lake, { as_of })
  atEnd(async () => engine.close())
})

const hoursOf = (body: string): number => Math.round((JSON.parse(body).meta.freshness_seconds / 3600) * 10) / 10

describe.each(samplePaths().map(({ query, path }) => [queryId(query), query, path] as const))(
  '%s',
  (_, query, path) => {
    test('gives the same answer, tag and age with a max_age that it meets', async () => {
      const plain = await service.get(path)
      const limited = await service.get(`${path}&max_age=1000000`)
      expect(limited.status).toBe(200)
      expect(limited.body).toBe(plain.body)
      expect(limited.headers.etag).toBe(plain.headers.etag)
      expect(limited.headers['x-data-freshness-hours']).toBe(plain.headers['x-data-freshness-hours'])
    })

    test('is refused if its newest observation is older, unless it has none', async () => {
      const plain = await service.get(path)
      const hours = Number(plain.headers['x-data-freshness-hours'])
      const strict = await service.get(`${path}&max_age=0.1`)
      if (query.group === 'reference' || hours <= 0.1) expect(strict.body).toBe(plain.body)
      else {
        expectPromisedRefusal(path, strict, 412, 'DATA_TOO_OLD')
        const { details, message } = JSON.parse(strict.body).error
        expect(details).toEqual({
          parameter: 'max_age',
          max_age: 0.1,
          freshness_hours: expect.any(Number),
          newest_observed_at: expect.stringMatching(/^2026-/),
        })
        const suggested = Number(/send (\d+) or more/.exec(message)?.[1])
        expect((await service.get(`${path}&max_age=${suggested}`)).status).toBe(200)
      }
    })
  },
)

test('the age is that of the answer, not of the snapshot', async () => {
  const { body } = await service.get(past)
  const hours = hoursOf(body)
  expect(hours).toBeGreaterThan(24 * 80)
  const refused = await service.get(`${past}&max_age=${hours - 1}`)
  expect(refused.status).toBe(412)
  expect(JSON.parse(refused.body).error.details).toMatchObject({
    newest_observed_at: JSON.parse(body).meta.price_observed_at_max,
    freshness_hours: hours,
  })
  expect((await service.get(`${past}&max_age=${hours}`)).body).toBe(body)
})

test('with as_of the age is that on the day', async () => {
  const path = `${current}&as_of=2026-10-15`
  const hours = hoursOf((await service.get(path)).body)
  expect(hours).toBeLessThan(24 * 10)
  expect((await service.get(`${path}&max_age=${hours}`)).status).toBe(200)
  expect((await service.get(`${path}&max_age=${(hours - 0.1).toFixed(1)}`)).status).toBe(412)
})

test('an old answer is refused even to a client that already has it', async () => {
  const { headers } = await service.get(past)
  const etag = { 'if-none-match': String(headers.etag) }
  expect((await service.get(past, etag)).status).toBe(304)
  expect((await service.get(`${past}&max_age=24`, etag)).status).toBe(412)
})

test.each(['0', '-1', 'old', '1e3', 'NaN', '0.05'])('max_age=%s is refused as invalid', async (text) => {
  const reply = await service.get(`${current}&max_age=${text}`)
  expectPromisedRefusal(current, reply, 400, 'INVALID_PARAMS')
  expect(JSON.parse(reply.body).error.message).toMatch(/^max_age: expected a number, at least 0\.1, got /)
})

test('any max_age gives the answer, or a refusal that states its age', async () => {
  const { body } = await service.get(past)
  const hours = hoursOf(body)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 50_000 }), async (tenths) => {
      const reply = await send(service.port, `${past}&max_age=${tenths / 10}`)
      if (tenths / 10 >= hours) expect(reply.body).toBe(body)
      else expect(JSON.parse(reply.body).error.details.freshness_hours).toBe(hours)
    }),
    { numRuns: 50 },
  )
})

test('the library and the command line refuse and answer the same', async () => {
  const query = findQuery('analyst', 'inflation')!
  const window = { category: 'coffee', from: '2026-08-01', to: '2026-09-01' }
  await expect(engine.ask(query, { ...window, max_age: 24 })).rejects.toMatchObject({ code: 'DATA_TOO_OLD' })
  await expect(engine.ask(query, { ...window, max_age: 24 })).rejects.toBeInstanceOf(EngineError)
  expect(await engine.ask(query, { ...window, max_age: 9999 })).toEqual(await engine.ask(query, window))
  const errors: string[] = []
  const sink = (kept: string[]) => ({
    write: (chunk: string | Uint8Array) => kept.push(String(chunk)),
    isTerminal: false,
    hasColours: false,
    columns: 80,
  })
  const { lake, as_of } = service.config
  const argv = 'analyst inflation --category coffee --from 2026-08-01 --to 2026-09-01 --max-age 24'.split(' ')
  const settings = { lake, as_of: as_of?.toISOString() }
  expect(await runCli(argv, { stdout: sink([]), stderr: sink(errors) }, settings)).toBe(1)
  const { error } = JSON.parse(errors.join(''))
  expect(error).toEqual(JSON.parse((await service.get(`${past}&max_age=24`)).body).error)
})

test('every query accepts it, last', () => {
  for (const query of queries) expect(Object.keys(query.params.shape).at(-1)).toBe('max_age')
})
