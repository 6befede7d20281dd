import { beforeAll, describe, expect, test } from 'vitest'
import { type Service, serveSample } from '../support/http.ts'

let service: Service
beforeAll(async () => {
  service = await serveSample()
})

const bodyOf = async (path: string) => {
  const { status, body } = await service.get(path)
  expect(status, `${path} ${body.slice(0, 300)}`).toBe(200)
  return JSON.parse(body)
}

describe('a value that published clients send is accepted:', () => {
  test.each(['unmanaged', 'empty'])('quality_status=%s, which no shelf has', async (status) => {
    const { items, total } = await bodyOf(`/v1/public/coverage?quality_status=${status}`)
    expect([items, total]).toEqual([[], 0])
  })

  const window = { preset: 'last_1826_days', from: '2021-11-21', to: '2026-11-21' }

  test.each([
    '/v1/analyst/inflation?category=coffee&days=3650',
    '/v1/analyst/retailer-index?retailer=kettlecart&days=99999&granularity=monthly',
    '/v1/marketing/brand-tracker?brand=oakverly&days=9999999999999999999999&granularity=monthly',
    '/v1/marketing/promo-intelligence?category=coffee&days=1827',
    '/v1/shopper/price-history?q=larkano+decaf+coffee&days=3650&granularity=monthly',
    '/v1/shopper/price-drop-alert?q=larkano+decaf+coffee&days=3650',
    '/v1/shopper/price-drop-alert?q=larkano+decaf+coffee&lookback_days=3650',
  ])('more days than a window may have, limited to that many: %s', async (path) => {
    expect((await bodyOf(path)).window).toMatchObject(window)
  })

  test.each([
    '/v1/shopper/best-price?q=coffee',
    '/v1/shopper/deal-finder?category=grocery',
    '/v1/marketing/share-of-shelf?category=coffee',
    '/v1/marketing/brand-breakdown?brand=oakverly',
    '/v1/marketing/competitive-landscape?category=coffee',
    '/v1/marketing/price-positioning?brand=oakverly',
    '/v1/analyst/price-dispersion?category=coffee',
    '/v1/analyst/category-summary?category=coffee',
  ])('more days than the age of a current price may have, limited to that many: %s', async (path) => {
    expect(await bodyOf(`${path}&days=3650`)).toEqual(await bodyOf(`${path}&days=365`))
  })

  test('an empty value of an optional parameter', async () => {
    const path = '/v1/analyst/inflation?category=coffee'
    expect(await bodyOf(`${path}&department=&retailer&from=&to=&time_window=&days=+&granularity=&as_of=`)).toEqual(
      await bodyOf(path),
    )
    expect(await bodyOf('/v1/shopper/best-price?q=coffee&product_uid=&entity_uid=&limit=&strict=')).toEqual(
      await bodyOf('/v1/shopper/best-price?q=coffee'),
    )
  })

  test('but not an empty value of a required parameter', async () => {
    for (const path of [
      '/v1/marketing/share-of-shelf?category=',
      '/v1/shopper/best-price?q=',
      '/v1/analyst/inflation?category=+',
    ])
      expect(await service.get(path)).toMatchObject({ status: 400, body: expect.stringContaining('send ') })
  })
})
