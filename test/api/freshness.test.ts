import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Lake } from '../../api/ops/lake.ts'
import { DAY_MS, type Engine, type Plan, queries } from '../../engine/index.ts'
import { runCli } from '../../engine/show/cli.ts'
import { sampleLake } from '../support/given.ts'
import { type Service, samplePaths, serveLake } from '../support/http.ts'
import { cheap, createPayer, paymentFor, servePaid, startChains } from './payment/paying.ts'

const MINUTE = 60_000
const NOON = Date.parse('2026-11-21T12:00:00Z')

/** The clock of the service, which is stopped until a test moves it. */
const setClock = (time: number) => vi.setSystemTime(time)

let computed: string[] = []
const counted = (lake: Lake): Lake => ({
  engine: () => {
    const engine = lake.engine()
    if (!engine) return undefined
    const run: Engine['run'] = (plan: Plan, options) => {
      computed.push(plan.query)
      return engine.run(plan, options)
    }
    return new Proxy(engine, {
      get: (target, name) => {
        const value = name === 'run' ? run : Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  },
})

let lake: string
let service: Service
beforeAll(async () => {
  ;({ lake } = await sampleLake())
  service = await serveLake(lake, {}, counted)
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON })
  computed = []
})
afterEach(() => {
  vi.useRealTimers()
})

const relative = '/v1/analyst/inflation?category=coffee&days=60'
const explicit = '/v1/analyst/inflation?category=coffee&from=2026-08-01&to=2026-10-01'
const metaOf = (body: string) => JSON.parse(body).meta

describe('an answer repeated later on the same day', () => {
  test.each(samplePaths().map(({ path }) => [path]))('is not computed again for %s', async (path) => {
    const first = await service.get(path)
    expect(first.status).toBe(200)
    const before = computed.length
    for (const minutes of [1, 61, 11 * 60]) {
      setClock(NOON + minutes * MINUTE)
      const again = await service.get(path)
      expect(again.status).toBe(200)
      expect(again.headers.etag).toBe(first.headers.etag)
      expect((await service.get(path, { 'if-none-match': String(first.headers.etag) })).status).toBe(304)
    }
    expect(computed.length).toBe(before)
  })

  test('reports its age at the time it is sent', async () => {
    const first = await service.get(relative)
    setClock(NOON + 90 * MINUTE)
    const later = await service.get(relative)
    expect(metaOf(later.body).computed_at).toBe('2026-11-21T13:30:00Z')
    expect(metaOf(later.body).freshness_seconds).toBe(metaOf(first.body).freshness_seconds + 90 * 60)
    const undated = ({ body }: typeof first) => body.replace(/"(computed_at|freshness_seconds)":[^,}]+/g, '"$1":0')
    expect(undated(later)).toBe(undated(first))
    const hours = Number(later.headers['x-data-freshness-hours']) - Number(first.headers['x-data-freshness-hours'])
    expect(hours).toBeCloseTo(1.5, 1)
  })

  test('has an up-to-date freshness block too', async () => {
    const path = '/v1/social/brand-momentum?category=grocery'
    const first = await service.get(path)
    setClock(NOON + 600 * MINUTE)
    const later = await service.get(path)
    const hoursOf = ({ body }: typeof first) => JSON.parse(body).freshness.staleHours
    expect(hoursOf(later) - hoursOf(first)).toBeCloseTo(10, 1)
  })
})

describe('a query repeated on the next day', () => {
  test('is computed again if its window follows the clock', async () => {
    const first = await service.get(relative)
    setClock(NOON + DAY_MS)
    const next = await service.get(relative, { 'if-none-match': String(first.headers.etag) })
    expect(next.status).toBe(200)
    expect(next.headers.etag).not.toBe(first.headers.etag)
  })

  test('is not computed again if its window is explicit', async () => {
    const first = await service.get(explicit)
    const before = computed.length
    setClock(NOON + DAY_MS)
    expect((await service.get(explicit, { 'if-none-match': String(first.headers.etag) })).status).toBe(304)
    expect(computed.length).toBe(before)
  })
})

describe('the parameter as_of', () => {
  const day = '2026-10-15'

  test.each(queries.map((query) => [`${query.group}/${query.name}`]))('fixes the answer of %s', async (id) => {
    const { path } = samplePaths().find(({ path }) => path.startsWith(`/v1/${id}?`))!
    const address = `${path}&as_of=${day}`
    const first = await service.get(address)
    expect(first.status).toBe(200)
    setClock(NOON + 36 * 60 * MINUTE)
    const later = await service.get(address)
    expect(later.body).toBe(first.body)
    expect(later.headers.etag).toBe(first.headers.etag)
  })

  test('sets the clock to the end of that day, as on the command line', async () => {
    const { body } = await service.get(`${relative}&as_of=${day}`)
    expect(metaOf(body).computed_at).toBe(`${day}T23:59:59Z`)
    expect(JSON.parse(body).window).toMatchObject({ from: '2026-08-16', to: day })
    const written: string[] = []
    const stdout = {
      write: (text: string | Uint8Array) => written.push(String(text)),
      isTerminal: false,
      hasColours: false,
      columns: 80,
    }
    const line = `analyst inflation --category coffee --days 60 --as-of ${day} --json`
    expect(await runCli(line.split(' '), { stdout, stderr: stdout }, { lake })).toBe(0)
    expect(written.join('')).toBe(`${body}\n`)
  })

  test('has no effect where the clock is earlier', async () => {
    for (const later of ['2026-11-21', '2030-01-01'])
      expect(metaOf((await service.get(`${relative}&as_of=${later}`)).body).computed_at).toBe('2026-11-21T12:00:00Z')
  })

  test.each(['2026-10-32', 'yesterday', '2026-10-15T00:00:00Z'])(
    'is refused where it is not a day: %s',
    async (text) => {
      const { status, body } = await service.get(`${relative}&as_of=${text}`)
      expect(status).toBe(400)
      expect(JSON.parse(body).error).toMatchObject({ code: 'INVALID_PARAMS', details: { parameter: 'as_of' } })
    },
  )
})

describe('on a paid service', () => {
  test('answers a 304 without payment, and refuses queries without results before it requires payment', async () => {
    vi.useRealTimers()
    const chains = await startChains()
    const paid = await servePaid(chains, {}, counted)
    const payer = await createPayer(chains)
    const bought = await paid.get(cheap, await paymentFor(paid, payer, cheap, 'base'))
    expect(bought.status).toBe(200)
    const etag = String(bought.headers.etag)
    expect((await paid.get(cheap, { 'if-none-match': etag })).status).toBe(304)
    expect((await paid.get(cheap)).status).toBe(402)

    computed = []
    expect((await paid.get('/v1/shopper/deal-finder?category=coffee&min_discount_pct=70')).status).toBe(404)
    expect(computed).toEqual([])
    // Only computing shows that these days have no data: once, before payment is required.
    const nothing = '/v1/shopper/price-history?q=larkano+decaf+coffee&from=2025-01-01&to=2025-02-01'
    const refused = await paid.get(nothing)
    expect(refused.status).toBe(404)
    expect((await paid.get(nothing)).body).toBe(refused.body)
    expect(computed).toHaveLength(1)
  })
})
