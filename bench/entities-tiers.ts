import type { Connection } from './duckdb.ts'
import type { Labelled } from './entities-labelled.ts'

/** Tables of a refreshed lake: its listings with their uids, the gold pairs, and the pairs of each tier with a probability. */
const PAIRS = `
  CREATE TABLE gold_pair AS SELECT DISTINCT least(this, that) AS this, greatest(this, that) AS that FROM gold;
  CREATE TABLE tier_pair AS
  SELECT 'certain' AS tier, a.product_id AS a, b.product_id AS b, a.product_name = b.product_name AS is_same_title, 1.0::DOUBLE AS probability
  FROM resolved AS a JOIN resolved AS b ON a.entity_uid = b.entity_uid AND a.retailer_id < b.retailer_id
  UNION ALL
  SELECT 'match', a.product_id, b.product_id, a.product_name = b.product_name, probability / 1000
  FROM matched JOIN resolved AS a ON a.listing_id = matched.listing_id JOIN resolved AS b ON b.listing_id = other_listing_id
  UNION ALL
  SELECT 'product', a.product_id, b.product_id, a.product_name = b.product_name, 1.0
  FROM resolved AS a JOIN resolved AS b ON coalesce(a.likely_uid, a.entity_uid) = coalesce(b.likely_uid, b.entity_uid) AND a.retailer_id < b.retailer_id`

/**
 * What anyone would try first: the cosine of title words weighted by rarity, the best of both sides. Its threshold is the
 * one that the gold pairs favour.
 */
const TF_IDF = `
  CREATE TABLE word AS
  WITH said AS (
    SELECT DISTINCT product_id, retailer_id, unnest(regexp_extract_all(lower(strip_accents(concat_ws(' ', brand, product_name))), '[a-z0-9]+')) AS word
    FROM resolved
  ),
  rare AS (
    SELECT word, count(*) AS listings, ln((SELECT count(*) FROM resolved) / count(*)) AS idf FROM said GROUP BY word
  )
  SELECT product_id, retailer_id, word, listings, idf / sqrt(sum(idf * idf) OVER (PARTITION BY product_id)) AS weight
  FROM said JOIN rare USING (word);
  INSERT INTO tier_pair
  WITH met AS (
    SELECT DISTINCT a.product_id AS a, b.product_id AS b, a.retailer_id AS a_shop, b.retailer_id AS b_shop
    FROM word AS a JOIN word AS b USING (word) WHERE a.retailer_id < b.retailer_id AND a.listings <= 300
  ),
  compared AS (
    SELECT a, b, a_shop, b_shop, sum(x.weight * y.weight) AS cosine
    FROM met JOIN word AS x ON x.product_id = a JOIN word AS y ON y.product_id = b AND y.word = x.word GROUP BY ALL
  )
  SELECT 'tf-idf', a, b, false, cosine FROM compared
  QUALIFY row_number() OVER (PARTITION BY a, b_shop ORDER BY cosine DESC, b) = 1
    AND row_number() OVER (PARTITION BY b, a_shop ORDER BY cosine DESC, a) = 1`

const JUDGED = `
  CREATE TABLE judged AS
  SELECT tier, probability, is_same_title, gold_pair.this IS NOT NULL AS is_right,
    (a IN (FROM sure))::INTEGER + (b IN (FROM sure))::INTEGER >= $least::INTEGER AS is_sure
  FROM tier_pair LEFT JOIN gold_pair ON gold_pair.this = least(a, b) AND gold_pair.that = greatest(a, b)`

/**
 * Of the pairs of a tier from a probability up. `precision_where_sure` only counts pairs that the data set can judge.
 * `precision_of_same_titles` is the limit of any method based on titles, since the data set has different products with
 * equal titles.
 */
const RATES = `
  SELECT count(*)::INTEGER AS pairs, count_if(is_right)::INTEGER AS right_pairs, any_value(gold_pairs)::INTEGER AS gold_pairs,
    100 * count_if(is_right) / count(*) AS precision_pct,
    100 * count_if(is_right AND is_sure) / count_if(is_sure) AS precision_where_sure_pct,
    100 * count_if(is_right AND is_same_title) / count_if(is_same_title) AS precision_of_same_titles_pct,
    100 * count_if(is_right) / any_value(gold_pairs) AS recall_pct,
    200 * count_if(is_right) / (count(*) + any_value(gold_pairs)) AS f1_pct
  FROM judged, (SELECT count(*) AS gold_pairs FROM gold_pair)
  WHERE list_contains($tiers::VARCHAR[], tier) AND probability >= $least::DOUBLE`

const BEST = `
  WITH ranked AS (
    SELECT probability, count(*) OVER best AS pairs, count_if(is_right) OVER best AS right_pairs
    FROM judged WHERE tier = 'tf-idf' WINDOW best AS (ORDER BY probability DESC)
  )
  SELECT arg_max(probability, right_pairs / (pairs + (SELECT count(*) FROM gold_pair))) AS least FROM ranked`

/** What was said and what is right, by tenth of the probability, of the pairs that the set can judge. */
const CALIBRATION = `
  SELECT least(9, floor(probability * 10))::INTEGER AS tenth, count(*)::INTEGER AS pairs, 100 * avg(probability) AS said_pct,
    100 * avg(is_right::INTEGER) AS right_pct
  FROM judged WHERE tier = 'match' AND is_sure GROUP BY tenth ORDER BY tenth`

type JudgedRow = Record<string, unknown>

/** Both tiers beside the baseline, and how well probabilities are calibrated. `resolved` and `matched` are of the lake. */
export const judgeTiers = async (connection: Connection, { name, judges }: Labelled): Promise<JudgedRow[]> => {
  const rows = async (sql: string, values: Record<string, string | number> = {}): Promise<JudgedRow[]> =>
    (await connection.runAndReadAll(sql, values)).getRowObjectsJS() as JudgedRow[]
  await connection.run(PAIRS)
  await connection.run(TF_IDF)
  await connection.run(JUDGED.replace('$least', judges === 'both' ? '2' : '1'))
  const [best] = await rows(BEST)
  const rates = async (tier: string, of: readonly string[], least: number): Promise<JudgedRow> => {
    const [row] = await rows(RATES.replace('$tiers', `['${of.join("', '")}']`).replace('$least', `${least}`))
    return { name, tier, ...row }
  }
  const tenths = await rows(CALIBRATION)
  return [
    await rates('certain', ['certain'], 0),
    await rates('certain and likely from 0.5', ['certain', 'match'], 0.5),
    await rates('certain and likely from 0.9', ['certain', 'match'], 0.9),
    await rates('likely products', ['product'], 0),
    await rates('TF-IDF with mutual best', ['tf-idf'], Number(best?.least ?? 0)),
    ...tenths.map(({ tenth, ...row }) => ({ name, tier: `likely, 0.${tenth}`, ...row })),
  ]
}
