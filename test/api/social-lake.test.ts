import { beforeAll, expect, test } from 'vitest'
import { type Service, serveLake } from '../support/http.ts'
import { postsOn } from '../support/posts.ts'
import { expectPromisedRefusal } from '../support/refusals.ts'
import { socialLake } from '../support/social-lake.ts'

const posts = [...postsOn('2026-10-10', 1, {}), ...postsOn('2026-10-30', 12, { brand_norms: ['acme'] })]

let service: Service
beforeAll(async () => {
  const { lake } = await socialLake(posts, [{ path: 'grocery', name: 'Grocery' }])
  service = await serveLake(lake, { SHELFMARK_AS_OF: '2026-10-31T00:00:00Z' })
})

// The newest post is of noon of 30 October, twelve hours before.
test.each(['/v1/public/stats', '/v1/public/coverage', '/v1/social/brand-momentum?category=grocery&window=7d'])(
  'a lake with posts alone answers %s with the age of its newest post',
  async (path) => {
    const { status, headers } = await service.get(path)
    expect(status).toBe(200)
    expect(headers['x-data-freshness-hours']).toBe('12.0')
  },
)

test.each([
  ['/v1/analyst/inflation?category=grocery', 'NO_RESULTS'],
  ['/v1/shopper/best-price?q=coffee', 'NO_RESULTS'],
  ['/v1/shopper/deal-finder', 'NO_RESULTS'],
  ['/v1/marketing/brand-tracker?brand=acme', 'NO_RESULTS'],
  ['/v1/analyst/retailer-index?retailer=alpha', 'RETAILER_NOT_SERVING_ELIGIBLE'],
])('a lake with posts alone refuses %s', async (path, code) => {
  const reply = await service.get(path)
  expectPromisedRefusal(path, reply, 404, code)
  expect(reply.headers['x-data-freshness-hours']).toBe('12.0')
})
