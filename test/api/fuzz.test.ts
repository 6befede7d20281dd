import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { queries } from '../../engine/index.ts'
import { expectPromised } from '../support/contract.ts'
import { sized } from '../support/full-size.ts'
import { pathTo, type Service, serveSample } from '../support/http.ts'
import { queryPaths } from '../support/query-strings.ts'
import { strict } from '../support/strict.ts'

/** `npm run faults -- requests` makes 100,000. */
const REQUESTS = sized(1_000, 10_000)
const AT_ONCE = 20

let service: Service
beforeAll(async () => {
  service = await serveSample()
})

const answers = new Map(queries.map((query) => [pathTo(query), strict(query.answer)]))

/** Sends a request, and checks the reply against the contract. */
const ask = async (path: string): Promise<number> => {
  const { status, headers, body } = await service.get(path)
  expect([200, 400, 404], `${path} ${status} ${body}`).toContain(status)
  const where = path.split('?')[0]!
  expectPromised(where, status, headers['content-type'] ?? '', body)
  if (status === 200) answers.get(where)?.parse(JSON.parse(body))
  if (where.startsWith('/v1/reference/')) expect(headers['x-gpc-release']).toMatch(/^v\d{8}$/)
  else expect(headers['x-data-freshness-hours']).toMatch(/^\d+\.\d$/)
  return status
}

test(`${REQUESTS} query strings, from sensible to hostile, are answered or refused as the contract says`, {
  timeout: 900_000,
}, async () => {
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(queryPaths, { minLength: AT_ONCE, maxLength: AT_ONCE, size: 'max' }), async (paths) => {
      for (const status of await Promise.all(paths.map(ask))) seen.set(status, (seen.get(status) ?? 0) + 1)
    }),
    { numRuns: REQUESTS / AT_ONCE },
  )
  // A fuzz with a single outcome would test that outcome alone.
  for (const status of [200, 400, 404]) expect(seen.get(status), `${status}`).toBeGreaterThan(REQUESTS / 50)
  expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
})
