import { z } from 'zod'
import { brandLabel, brandNorm, gtin, isPlaceholder } from '../../engine/index.ts'
import { counts, recordOf } from '../counts.ts'
import { type Database, query, type Value } from '../database.ts'
import { readCategories } from './categories.ts'
import { CONDITION_HINT, condition } from './condition.ts'
import type { NumberedNode } from './taxonomy.ts'

const textRow = z.strictObject({
  kind: z.enum(['brand', 'barcode', 'condition']),
  /** The field; null only for a condition. */
  text: z.string().nullable(),
  /** The listing's title if it may name a condition. */
  title: z.string().nullable(),
})
type ClassifiedText = z.output<typeof textRow>

const TEXTS = query(import.meta.url, 'texts#texts', textRow)
const LISTINGS = query(import.meta.url, 'listings', z.strictObject({ dropped: counts }))

const MAX_BARCODES = 25

const readBrand = (text: string): readonly Value[] => {
  const brand_norm = brandNorm(text)
  return [
    text,
    brand_norm,
    brandLabel(text),
    brand_norm !== null && isPlaceholder(brand_norm, 'us'),
    brand_norm !== null && isPlaceholder(brand_norm, 'ca'),
  ]
}

/** The barcodes of a field: one, or a list as JSON, as Python prints it, or separated by `|`, `;` or `,`. */
export const barcodesIn = (text: string): string[] =>
  text
    .split(/[[\]|;,]/)
    .flatMap((code) => code.replace(/^[\s'"]+|[\s'"]+$/g, '') || [])
    .slice(0, MAX_BARCODES)

/** The best barcode of a field, and the reasons why others are not used, separated by spaces. */
const readBarcodes = (text: string): readonly Value[] => {
  const codes = barcodesIn(text).map(gtin)
  const dropped = codes.flatMap(({ valid, reason }) => (!valid && reason !== null ? reason : []))
  const valid = codes.flatMap(({ gtin14, anchor }) => (gtin14 === null ? [] : { gtin14, anchor }))
  const best = valid.sort((a, b) => Number(b.anchor) - Number(a.anchor) || (a.gtin14 < b.gtin14 ? -1 : 1))[0]
  return [text, best?.gtin14 ?? null, best?.anchor ?? false, dropped.join(' ') || null]
}

/**
 * Classifies every listing by brand, retailer, category, condition and barcode, in the tables `brand`, `retailer`,
 * `category` and `listing`. Each distinct text is read once, unless the previous snapshot has its reading. Returns the
 * barcodes that are not used, by reason, and the categories, parents first.
 */
export const classify = async (
  database: Database,
): Promise<{ dropped_barcodes: Record<string, number>; categories: readonly NumberedNode[] }> => {
  await database.set({ condition_hint: CONDITION_HINT })
  await database.mapRows(
    TEXTS,
    ({ kind }) => `${kind}_reading`,
    ({ kind, text, title }: ClassifiedText) => {
      if (kind === 'condition') return [text, title, condition(text, title).condition]
      return kind === 'brand' ? readBrand(text!) : readBarcodes(text!)
    },
  )
  const categories = await readCategories(database)
  const { dropped } = await database.row(LISTINGS)
  return { dropped_barcodes: recordOf(dropped), categories }
}
