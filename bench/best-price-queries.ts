import { readFileSync } from 'node:fs'
import { openDuckDB } from './duckdb.ts'

export const HALVES = [
  ...(['older', 'tune', 'held', 'tune 2', 'held 2', 'tune 3', 'held 3'] as const),
  ...(['tune 4', 'held 4', 'tune 5', 'held 5'] as const),
  ...(['tune 6', 'held 6', 'tune 7', 'held 7'] as const),
  ...(['tune 8', 'held 8', 'tune 9', 'held 9'] as const),
  ...(['tune 10', 'held 10'] as const),
  ...(['tune 11', 'held 11'] as const),
  ...(['tune 12', 'held 12'] as const),
  ...(['tune 13', 'tune 14', 'held 14'] as const),
] as const

export type CatalogueName = 'us' | 'ca' | 'bc' | 'gb' | 'at' | 'de' | 'au'

/**
 * A query with what it asks for. Listings of the intended product match `is` and not `is_not`; nothing does where the
 * product is absent, or is only an ingredient, flavour or purpose of others. `tune` is looked at while the search is changed,
 * `held` is not, likewise the second and third halves, in part of other catalogues, until all were; the fourth halves are by a hash of the question; `older` was tuned on.
 */
export type Labels = {
  half: (typeof HALVES)[number]
  kind: 'present' | 'size' | 'brand' | 'misspelt' | 'absent' | 'ingredient'
  catalogue: CatalogueName
  q: string
  is: RegExp
  is_not: RegExp | null
}

export const readQueries = (): Labels[] =>
  readFileSync(new URL('./best-price-queries.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [half, kind, catalogue, q = '', , is = '', is_not = ''] = line.split('\t')
      return {
        half: half as Labels['half'],
        kind: kind as Labels['kind'],
        catalogue: catalogue as CatalogueName,
        q,
        is: new RegExp(is, 'i'),
        is_not: is_not === '' ? null : new RegExp(is_not, 'i'),
      }
    })

export const isAbsent = ({ kind }: Labels): boolean => kind === 'absent' || kind === 'ingredient'

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')

const SHELF = / <[^<]*$/s
const BRAND = /^\{[^}]*\} /

/** Whether a text of `describeListings` is of the intended product. Older labels are about the title alone. */
export const isRight = ({ half, is, is_not }: Labels, text: string): boolean => {
  const unbranded = text.replace(BRAND, '')
  const title = unbranded.replace(SHELF, '')
  const described = half === 'older' ? [title] : [unbranded, text]
  return described.some((each) => is.test(each)) && !is_not?.test(title)
}

/** The brand of each listing, its title, its shelf and its size, without accents: `{Kahlua} Kahlua <spirits/liqueurs> [1.75x1]`. */
export const describeListings = async (snapshot: string): Promise<ReadonlyMap<number, string>> => {
  const connection = await openDuckDB()
  const rows = await connection.runAndReadAll(
    `SELECT listing_id, concat('{', listing.brand, '} ', listing.product_name, ' <', path, '> [', attributes.size_value.value, 'x', attributes.pack_count.value, ']')
      FROM read_parquet('${snapshot}/listings/**/*.parquet', hive_partitioning = true) AS listing
      JOIN read_parquet('${snapshot}/listing_attributes.parquet') AS attributes USING (listing_id)
      LEFT JOIN read_parquet('${snapshot}/categories.parquet') AS category
        ON category.category_id = listing.category_id`,
  )
  connection.closeSync()
  return new Map((rows.getRowsJS() as [number, string][]).map(([listing_id, text]) => [listing_id, fold(text)]))
}
