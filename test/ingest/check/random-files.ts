import fc from 'fast-check'
import type { SampledFile } from '../../../ingest/check/read/sample.ts'
import { sniff } from '../../../ingest/check/read/sniff.ts'

/** How a shop writes its prices, and what a mapping says of it. */
const STYLES = [
  { write: (cents: number) => (cents / 100).toFixed(2), says: {} },
  { write: (cents: number) => `$${(cents / 100).toFixed(2)}`, says: { price_text: true } },
  { write: (cents: number) => `${(cents / 100).toFixed(2)} USD`, says: { price_text: true } },
  { write: (cents: number) => (cents / 100).toFixed(2).replace('.', ','), says: { decimal_comma: true } },
  {
    write: (cents: number) => `${(cents / 100).toFixed(2).replace('.', ',')} €`,
    says: { price_text: true, decimal_comma: true },
  },
  { write: (cents: number) => `€ ${(cents / 100).toFixed(2)}`, says: { price_text: true } },
]

/** Names of each column in several languages; what a column is does not depend on which is written. */
const NAMES = {
  listing_id: ['sku', 'item id', 'Artikelnummer', '商品编号'],
  product_name: ['title', 'product_name', 'Artikelbezeichnung', 'Nombre del producto'],
  price: ['price', 'current_price', 'Verkaufspreis', 'Prix de vente', '价格'],
  observed_at: ['date', 'scraped_at', 'Datum', 'Fecha'],
  url: ['link', 'product_url', 'URL'],
}
type Role = keyof typeof NAMES
const ROLES = Object.keys(NAMES) as Role[]

/** A table with columns whose values tell nothing, in any order, with any delimiter. */
export type RandomFile = { file: SampledFile; names: Record<Role, string>; says: object }

const shape = fc.record({
  order: fc.shuffledSubarray([...ROLES, 'colour', 'note 7'], { minLength: 7, maxLength: 7 }),
  names: fc.record(
    Object.fromEntries(ROLES.map((role) => [role, fc.constantFrom(...NAMES[role])])) as Record<
      Role,
      fc.Arbitrary<string>
    >,
  ),
  style: fc.constantFrom(...STYLES),
  delimiter: fc.constantFrom(';', '\t', '|'),
  rows: fc.integer({ min: 25, max: 60 }),
  seed: fc.integer({ min: 0, max: 999 }),
})

export const randomFile: fc.Arbitrary<RandomFile> = shape.map(({ order, names, style, delimiter, rows, seed }) => {
  const valuesOf: Record<string, (row: number) => string> = {
    listing_id: (row) => `A-${1000 + row * 7 + seed}`,
    product_name: (row) => `Green tea number ${row * 3 + seed}`,
    price: (row) => style.write(199 + ((row * 371 + seed) % 9000)),
    observed_at: (row) => `2026-01-${10 + (row % 15)}`,
    url: (row) => `https://shop.example.com/p/${row + seed}`,
    colour: (row) => ['red', 'green', 'blue'][row % 3]!,
    'note 7': (row) => `x${row % 5}`,
  }
  const header = order.map((column) => names[column as Role] ?? column)
  const lines = Array.from({ length: rows }, (_, row) => order.map((column) => valuesOf[column]!(row)))
  const text = [header, ...lines].map((line) => line.join(delimiter)).join('\n')
  const { format, options, columns } = sniff('prices.csv', new TextEncoder().encode(`${text}\n`), true)
  return { file: { path: 'prices.csv', format: format!, options, columns }, names, says: { delimiter, ...style.says } }
})
