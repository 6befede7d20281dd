import { fileURLToPath } from 'node:url'

/** The folder of data sets next to the repository. */
export const sharedData = fileURLToPath(new URL('../../shared/data', import.meta.url))

/**
 * A labelled data set: listings in the format of a catalogue feed; the `gold` pairs of listings of one product; the listings
 * whose labels are `sure`; and whether a pair can be judged if either or both listings are sure. A set of one-to-one pairs is
 * silent about listings that it leaves out.
 */
export type Labelled = { name: string; catalogue: string; gold: string; sure: string; judges: 'either' | 'both' }

const PAIRED = { sure: 'SELECT DISTINCT unnest([this, that]) FROM gold', judges: 'either' } as const

const columns = (platform: string, name: string, brand: string, mpn: string): string =>
  `'${platform}' AS platform, '${platform}-' || id AS listing_id, ${name} AS product_name, ${brand} AS brand, ${mpn} AS mpn, price`

const pairs = (left: string, right: string, path: string): string =>
  `SELECT '${left}-' || D1 AS this, '${right}-' || D2 AS that FROM read_parquet('${path}')`

const abtBuy = `${sharedData}/er_abt_buy`
const walmartAmazon = `${sharedData}/er_walmart_amazon`
const offers = `read_parquet('${sharedData}/er_pricerunner/offers.parquet')`

export const labelled: readonly Labelled[] = [
  {
    name: 'er_abt_buy',
    catalogue: `SELECT ${columns('abt', 'name', 'NULL', 'NULL')} FROM read_parquet('${abtBuy}/abt.parquet')
      UNION ALL SELECT ${columns('buy', 'name', 'NULL', 'NULL')} FROM read_parquet('${abtBuy}/buy.parquet')`,
    gold: pairs('abt', 'buy', `${abtBuy}/gold.parquet`),
    ...PAIRED,
  },
  {
    name: 'er_walmart_amazon',
    catalogue: `SELECT ${columns('walmart', 'title', 'brand', 'modelno')} FROM read_parquet('${walmartAmazon}/walmart.parquet')
      UNION ALL SELECT ${columns('amazon', 'title', 'brand', 'modelno')} FROM read_parquet('${walmartAmazon}/amazon.parquet')`,
    gold: pairs('walmart', 'amazon', `${walmartAmazon}/gold.parquet`),
    ...PAIRED,
  },
  {
    name: 'er_pricerunner',
    catalogue: `SELECT 'm' || merchant_id AS platform, offer_id::VARCHAR AS listing_id, title AS product_name,
      NULL AS brand, NULL AS mpn, NULL AS price FROM ${offers}`,
    gold: `SELECT this.offer_id::VARCHAR AS this, that.offer_id::VARCHAR AS that
      FROM ${offers} AS this JOIN ${offers} AS that USING (cluster_id) WHERE this.merchant_id <> that.merchant_id`,
    // A cluster is sure if its label has a model token of the title: many titles are in the cluster of another model.
    sure: `SELECT offer_id::VARCHAR FROM ${offers}
      WHERE list_bool_or([length(token) >= 5 AND regexp_matches(token, '\\d')
        FOR token IN list_intersect(string_split(title, ' '), string_split(lower(cluster_label), ' '))])`,
    judges: 'both',
  },
]
