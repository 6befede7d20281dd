import { describe, expect, test } from 'vitest'
import { guessPrices, printedPrice } from '../../../ingest/check/columns/prices.ts'

describe('a printed price is read', () => {
  test.each<[text: string, price: number | null]>([
    ['3.45', 3.45],
    ['$3.45', 3.45],
    ['$ 3.45', 3.45],
    ['US$3.45', 3.45],
    ['C$3', 3],
    ['.99', 0.99],
    ['97¢', 0.97],
    ['1,959', 1959],
    ['$1,959.50', 1959.5],
    ["1'959.50", 1959.5],
    ['1 959.50', 1959.5],
    ['12.99 USD', 12.99],
    ['CAD 12.99', 12.99],
    ['12.99CAD', 12.99],
    ['€4.10', 4.1],
    ['2 for $7', null],
    ['was', null],
    ['NA', null],
    ['236.18 gbp', 236.18],
    ['59,400円', 59400],
    ['Dhs 1,050', 1050],
    ['SR 12.50', 12.5],
    ['R$ 9.90', 9.9],
    ['99 ₽', 99],
    ['6250.00 EGP', 6250],
    ['100 bananas', null],
    ['sale\n$3.50 MIN 2', null],
    ['$0.30/100ml', null],
    ['62.22/Kg', 62.22],
    ['$1.99 / lb.', 1.99],
    ['0.59 each', 0.59],
    ['2/$5', null],
    ['1.10 €*', 1.1],
    ['5.10 ر.س', 5.1],
    ['۲٬۵۰۹٬۱۰۰', 2509100],
    ['۴۵٬۰۰۰ تومان', 450_000],
    ['45,000.5 Toman', 450_005],
    ['۴۵٬۰۰۰ ریال', 45_000],
    ['₹ १,२५,०००.५०', 125000.5],
    ['３，９９０円', 3990],
    ['', null],
    ['$', null],
    ['1,95,9', null],
  ])('from %j as %s', (text, price) => {
    expect(printedPrice(text, false)).toBe(price)
  })

  test.each<[text: string, price: number | null]>([
    ['4,99', 4.99],
    ['4,99 $', 4.99],
    ['4,99\u00a0$', 4.99],
    ['1 299,00 $', 1299],
    ['1\u202f299,00\u00a0$', 1299],
    ['1.299,00', 1299],
    ['1299', 1299],
    ['1,299.00', null],
    ['3,15 €', 3.15],
    ['R$ 1.234,56', 1234.56],
  ])('with a decimal comma from %j as %s', (text, price) => {
    expect(printedPrice(text, true)).toBe(price)
  })
})

describe('the form of a column of prices is recognised', () => {
  test.each<[values: string[], type: string | undefined, form: object]>([
    [['1.99', '2', '3.50'], undefined, { price_text: false, decimal_comma: false, share: 1, positive: 1 }],
    [['$1.99', '97¢', '1,959'], undefined, { price_text: true, decimal_comma: false, share: 1 }],
    [['1,959', '2,100'], undefined, { price_text: true, decimal_comma: false }],
    [['4,99', '12,50'], undefined, { price_text: false, decimal_comma: true, share: 1 }],
    [['4,99 $', '1 299,00 $'], undefined, { price_text: true, decimal_comma: true, share: 1 }],
    [['1.299,00', '4,99'], undefined, { price_text: true, decimal_comma: true, share: 1 }],
    [['4,99', '5,99', '6.99'], undefined, { price_text: true, decimal_comma: false, isMixed: true, share: 1 }],
    [['14.655', '18.000'], undefined, { decimal_comma: false }],
    [['Rp14.655', 'Rp18.000'], undefined, { price_text: true, decimal_comma: true, currencies: ['IDR'] }],
    [['1.644', '1.669'], undefined, { decimal_comma: false, decimals: 3 }],
    [['5.489999999999998', '3.5'], undefined, { decimals: 2 }],
    [['12.99 USD', '3.00 USD'], undefined, { currencies: ['USD'], signed: 1, share: 1 }],
    [['12.99 USD', '3.00 CAD'], undefined, { currencies: [] }],
    [['199', '2599'], 'BIGINT', { isWhole: true, price_text: false }],
    [['1.99', '25.99'], 'DOUBLE', { isWhole: false, isTyped: true }],
    [['1.99', '25.99'], 'DECIMAL(9,2)', { isWhole: false, isTyped: true }],
    [['7.99', '', '0', 'NA'], undefined, { share: 1, positive: 0.25 }],
    [['was', '7.99'], undefined, { share: 0.5, refused: ['was'] }],
    [[], undefined, { share: 0, positive: 0 }],
  ])('from %j of type %s', (values, type, form) => {
    expect(guessPrices(values, type)).toMatchObject(form)
  })
})
