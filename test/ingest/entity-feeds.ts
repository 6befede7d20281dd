import type { RefreshOptions } from '../../ingest/refresh.ts'
import { givenFiles, query, run, single, table } from './feeds.ts'

/** A listing of a test: `shop id` is its name; the rest has a default. */
export type Listing = {
  name: string
  title?: string
  brand?: string
  gtin?: string
  mpn?: string
  condition?: string
  country?: string
  price?: number
  size?: string
  pack?: string
  day?: string
}

const COLUMNS =
  'platform,country,listing_id,observed_at,price,product_name,brand,gtin,mpn,condition,size_value,pack_count'

const cell = (value: string | number | undefined): string => `"${String(value ?? '').replaceAll('"', '""')}"`

const line = ({ name, title, brand, gtin, mpn, condition, size, pack, ...rest }: Listing): string => {
  const [platform, id] = name.split(' ')
  const { country = 'us', price = 10, day = '2026-01-05' } = rest
  return [platform, country, id, day, price, title, brand, gtin, mpn, condition, size, pack].map(cell).join(',')
}

/** Observations of these listings as a file of a feed. */
export const offers = (listings: readonly Listing[]): string => `${[COLUMNS, ...listings.map(line)].join('\n')}\n`

export type Refreshed = Awaited<ReturnType<typeof run>>

/** A refresh of these listings: of a new lake, unless `lake` is given. */
export const refreshOffers = async (
  listings: readonly Listing[],
  options: Partial<RefreshOptions> = {},
): Promise<Refreshed> => run(await givenFiles({ 'price_observations/a.csv': offers(listings) }), options)

/** The entity of every listing, by the listing's name. */
export const entitiesOf = async (report: Refreshed): Promise<Record<string, string>> => {
  const rows = await query(`SELECT platform || ' ' || product_id AS name, entity_uid
    FROM ${table(report, 'listings')} AS listing JOIN ${single(report, 'retailers')} USING (retailer_id) ORDER BY ALL`)
  return Object.fromEntries(rows.map(({ name, entity_uid }) => [String(name), String(entity_uid)]))
}

/** The names of listings by entity, such as `a 1 = b 1`; those alone are left out. */
export const joinsOf = (entities: Readonly<Record<string, string>>): string[] => {
  const groups = new Map<string, string[]>()
  for (const [name, uid] of Object.entries(entities)) groups.set(uid, [...(groups.get(uid) ?? []), name])
  return [...groups.values()]
    .filter((names) => names.length > 1)
    .map((names) => names.sort().join(' = '))
    .sort()
}

/** What a refresh of these listings joins. */
export const joins = async (...listings: readonly Listing[]): Promise<string[]> =>
  joinsOf(await entitiesOf(await refreshOffers(listings)))
