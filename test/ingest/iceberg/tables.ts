import { csv, type Lake, query, single, table } from '../feeds.ts'

/** Two countries, three months, two years. */
export const ROWS = ['2025-12-30', '2026-01-05', '2026-02-09'].flatMap((day, index) => [
  `acme,us,mug,${day}T10:00:00Z,${10 + index}.00,USD`,
  `acme,us,cup,${day}T10:00:00Z,4.00,USD`,
  `bolt,ca,mug,${day}T11:00:00Z,${14 + index}.50,CAD`,
])
/** Feeds of every kind. */
export const FEEDS = {
  'price_observations/a.csv': csv(...ROWS),
  'product_catalogue/a.csv': [
    'platform,country,listing_id,product_name,brand,gtin,category_path',
    'acme,us,mug,Kiln Mug 12 oz,Kiln,4006381333931,Home > Mugs',
    'bolt,ca,mug,Kiln Mug 12 oz,Kiln,4006381333931,Home > Mugs',
  ].join('\n'),
  'category_taxonomy/a.csv': 'path,name,aliases,gpc_codes\nhome,Home,,\nhome/mugs,Mugs,Cups|Beakers,10000001\n',
  'social_posts/a.csv': [
    'platform,post_id,collected_at,category_root,brand_norms,views,likes',
    'tiktok,a,2026-02-05T10:00:00Z,home,kiln,100,5',
  ].join('\n'),
}

/** The tables that readers find. */
export const TABLES = [
  'brands',
  'browse_nodes',
  'categories',
  'category_taxonomy',
  'crosswalk',
  'department_days',
  'entity_changes',
  'gpc_attributes',
  'gpc_nodes',
  'gpc_shelves',
  'lexicon',
  'listing_days',
  'listing_months',
  'listing_sizes',
  'listings',
  'match_weights',
  'matches',
  'observation_times',
  'observations',
  'retailers',
  'shelf_days',
  'shelf_months',
  'social_brand_days',
  'social_brands',
  'social_days',
  'social_theme_days',
  'social_theme_types',
]
const PARTITIONED =
  /^(?:department_days|listing_days|listing_months|listings|observation_times|observations|shelf_days|shelf_months)$/

/** The columns of a table, and its rows with plain numbers, as DuckDB reads them from the snapshot. */
export const readSource = async (lake: Lake, name: string) => {
  const source = PARTITIONED.test(name) ? table(lake, name) : single(lake, name)
  const columns = await query(`DESCRIBE SELECT * FROM ${source}`)
  const numbers = columns.filter(({ column_type }) => /INT|DECIMAL/.test(String(column_type)))
  const texts = numbers.map(({ column_name }) => `"${column_name}"::DOUBLE AS "${column_name}"`)
  const rows = await query(`SELECT *${texts.length > 0 ? ` REPLACE (${texts.join(', ')})` : ''} FROM ${source}`)
  return { columns: columns.map(({ column_name }) => column_name), rows }
}

/** A value as it is compared: text of times to the second, plain numbers. */
const plain = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'string') return value.replace(/(?<=:\d\d)\.0+$/, '').replace(/ 00:00:00$/, '')
  if (typeof value === 'bigint') return String(value)
  return value ?? null
}

/** Rows as they are compared, in any order. */
export const asText = (rows: readonly object[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .map(([name, value]) => [name, typeof value === 'number' ? String(value) : plain(value)])
          .sort(),
      ),
    )
    .sort()
