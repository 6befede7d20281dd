import { VARCHAR } from '@duckdb/node-api'
import { brandLabel, brandNorm, gtin, isPlaceholder } from '../../engine/index.ts'
import type { Database, Value } from '../database.ts'
import { readCategories } from './categories.ts'
import { CONDITION_HINT, condition } from './condition.ts'

/** Barcodes left out, by reason; each counts once for every listing that carries it. */
export type LostBarcodes = Map<string, number>

const MOST_BARCODES = 25

const readBrand = ({ text }: { text: string }): readonly Value[] => {
  const brand_norm = brandNorm(text)
  return [
    text,
    brand_norm,
    brandLabel(text),
    brand_norm !== null && isPlaceholder(brand_norm, 'us'),
    brand_norm !== null && isPlaceholder(brand_norm, 'ca'),
  ]
}

/** The barcodes of a field: one, or a list as JSON, as Python prints it, or with `|`, `;` or `,` between. */
export const barcodesIn = (text: string): string[] =>
  text
    .split(/[[\]|;,]/)
    .flatMap((code) => code.replace(/^[\s'"]+|[\s'"]+$/g, '') || [])
    .slice(0, MOST_BARCODES)

const readBarcodes =
  (lost: LostBarcodes) =>
  ({ text, listings }: { text: string; listings: number }): readonly Value[] => {
    const codes = barcodesIn(text).map(gtin)
    for (const { valid, reason } of codes)
      if (!valid && reason !== null) lost.set(reason, (lost.get(reason) ?? 0) + listings)
    const valid = codes.flatMap(({ gtin14, anchor }) => (gtin14 === null ? [] : { gtin14, anchor }))
    const best = valid.sort((a, b) => Number(b.anchor) - Number(a.anchor) || (a.gtin14 < b.gtin14 ? -1 : 1))[0]
    return [text, best?.gtin14 ?? null, best?.anchor ?? false]
  }

type Told = { field: string | null; title: string | null }

const readCondition = ({ field, title }: Told): readonly Value[] => [field, title, condition(field, title).condition]

/** Reads what listings say of themselves: brand, barcode, condition and category, each distinct text once. */
export const classify = async (database: Database): Promise<LostBarcodes> => {
  const lost: LostBarcodes = new Map()
  await database.run('catalogue/classify-tables')
  await database.set('condition_hint', CONDITION_HINT, VARCHAR)
  await database.transcribe('catalogue/brand-texts', 'brand_reading', readBrand)
  await database.transcribe('catalogue/gtin-texts', 'gtin_reading', readBarcodes(lost))
  await database.transcribe('catalogue/condition-texts', 'condition_reading', readCondition)
  await readCategories(database)
  for (const table of ['catalogue/brands', 'catalogue/retailers', 'catalogue/listings']) await database.run(table)
  return lost
}
