-- The claims of an earlier, higher price: each unbroken sequence of observations of a listing with a list price above the
-- price, as it was last seen, if that was in the days [claimed_from, to); and what is known of the days before it.
WITH claiming AS MATERIALIZED (
  SELECT DISTINCT listing_id FROM claim_observation
  WHERE day >= $claimed_from::DATE AND list_price > price
    AND ($listing_ids::VARCHAR IS NULL OR listing_id IN (SELECT unnest(string_split($listing_ids::VARCHAR, ','))::INTEGER))
), posted AS MATERIALIZED (
  -- The observations of a claim have the same number of others before them.
  SELECT listing_id, retailer_id, brand_id, day, price, list_price, coalesce(list_price > price, false) AS is_claim,
         count(*) FILTER (NOT coalesce(list_price > price, false)) OVER own AS before,
         lead(day) OVER own AS next_day, lead(price) OVER own AS next_price
  FROM claim_observation JOIN claiming USING (listing_id)
  WINDOW own AS (PARTITION BY listing_id ORDER BY day)
), claim AS MATERIALIZED (
  SELECT listing_id, before > 0 AS is_start_seen, min(day) AS start, max(day) AS last, bool_or(next_day IS NULL) AS is_newest,
         arg_max(retailer_id, day) AS retailer_id, arg_max_null(brand_id, day) AS brand_id,
         arg_max(price, day) AS price, arg_max(list_price, day) AS list_price
  FROM posted WHERE is_claim
  GROUP BY listing_id, before HAVING max(day) >= $claimed_from::DATE
), spell AS (
  SELECT listing_id, day, known_until(day, price, next_day, next_price) AS until, price FROM posted
), prior AS (
  SELECT listing_id, start, min(spell.price) FILTER (prior_days(day, until, start) > 0) AS prior_low,
         sum(prior_days(day, until, start)) AS prior_covered, sum(test_days(day, until, start)) AS test_covered,
         sum(test_days(day, until, start)) FILTER (spell.price >= list_price) AS test_at
  FROM claim JOIN spell USING (listing_id) WHERE day < start
  GROUP BY listing_id, start
)
SELECT listing_id, retailer_id, brand_id, (start - DATE '1970-01-01')::INTEGER AS start,
       (last - DATE '1970-01-01')::INTEGER AS last, is_start_seen, is_newest, price, list_price, prior_low, coalesce(prior_covered, 0)::INTEGER AS prior_covered,
       coalesce(test_covered, 0)::INTEGER AS test_covered, coalesce(test_at, 0)::INTEGER AS test_at,
       price_share(list_price - price, list_price) AS claimed,
       price_share(price, prior_low) AS relative
FROM claim LEFT JOIN prior USING (listing_id, start)
