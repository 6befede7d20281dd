import fc from 'fast-check'
import { z } from 'zod'
import { type AnyQuery, queries } from '../../engine/index.ts'
import { pathTo } from './http.ts'

type Parameter = { enum?: string[]; minimum?: number; maximum?: number; type?: string }

/** What people send to break things. */
const hostile = [
  "'; DROP TABLE listing; --",
  "' OR 1=1 --",
  '$category',
  '../../../etc/passwd',
  '/etc/passwd',
  'https://example.com/feed.parquet',
  '%00',
  '%0d%0aset-cookie:%20a=b',
  '%ff',
  '%',
  '__proto__',
  '{"$gt":""}',
  '<script>alert(1)</script>',
  '%F0%9F%98%80',
  '%E2%80%AE%EF%BB%BF',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '9007199254740993',
  '-9223372036854775808',
  'true',
  'null',
  '[]',
  '+',
  'a'.repeat(64),
  'a'.repeat(4000),
  '%C3%A9'.repeat(300),
  '2026-02-30',
  '1970-01-01',
  '9999-12-31',
]

/** Values that mean something over the sample lake, so that some queries have results. */
const sensibleValues: Record<string, readonly string[]> = {
  category: ['coffee', 'Coffee', 'grocery', 'laptops', 'electronics', 'grocery/beverages/coffee', '10000045', 'cofee'],
  department: ['grocery', 'Grocery', 'electronics'],
  q: ['coffee', 'Oakverly ground coffe', 'coffee that nobody sells', '00075199000032', 'laptop sleeve 15'],
  product_uid: ['p_JFSPOA7BJIQP3ZVI', 'p_nobody'],
  browse_id: ['2622327694', '2622327694,6207927694,1', '12345678901234567890'],
  gpc_code: ['10001145', '10001145,53141100', '99999999', '1'],
  brand: ['oakverly', 'Oak Verly', 'nobody', '...'],
  retailer: ['kettlecart', 'KETTLECART', 'nobody'],
  parent_path: ['grocery', 'Electronics', 'grocery/beverages'],
  from: ['2026-06-01', '2026-09-01', '2026-10-01T12:00:00Z', '2025-01-01'],
  to: ['2026-11-01', '2026-11-20T08:00:00Z', '2026-10-15', '2025-02-01'],
}

const sensible = (
  name: string,
  { enum: choices = [], minimum = 0, maximum = 50, type }: Parameter,
): readonly string[] => {
  if (type === 'integer') return [minimum, minimum + 1, maximum].map(String)
  return choices.length > 0 ? choices : (sensibleValues[name] ?? ['a', 'grocery'])
}

const valueFor = (name: string, parameter: Parameter): fc.Arbitrary<string> => {
  const { minimum = 0, maximum = 50 } = parameter
  return fc.oneof(
    { weight: 36, arbitrary: fc.constantFrom(...sensible(name, parameter)) },
    { weight: 1, arbitrary: fc.constantFrom(...[minimum - 1, maximum + 1].map(String)) },
    { weight: 1, arbitrary: fc.constantFrom(...hostile) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map(encodeURIComponent) },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."%&=+;/?:@!$'()*,.~aZ09_-"), maxLength: 40 }) },
  )
}

const strays = ['&', '&&=', '&__proto__=a', '&constructor[prototype]=a', '&%=1', '&limit=1&limit=2', '&x']

type Parameters = { properties?: Record<string, Parameter>; required?: string[] }

const pathsOf = (query: AnyQuery): fc.Arbitrary<string> => {
  const { properties = {}, required = [] } = z.toJSONSchema(query.params, { io: 'input' }) as Parameters
  const pairs = Object.entries(properties).map(([name, parameter]) =>
    fc.option(
      valueFor(name, parameter).map((value) => `${name}=${value}`),
      { freq: required.includes(name) || ['q', 'category'].includes(name) ? 20 : 1, nil: '' },
    ),
  )
  const end = fc.oneof({ weight: 15, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...strays) })
  return fc
    .tuple(fc.tuple(...pairs), end)
    .map(([given, stray]) => `${pathTo(query)}?${given.filter(Boolean).join('&')}${stray}`.replaceAll(' ', '+'))
}

/** Paths of every query, their query strings between sensible and hostile. */
export const queryPaths: fc.Arbitrary<string> = fc.noBias(fc.oneof(...queries.map(pathsOf)))
