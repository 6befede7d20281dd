WITH priced AS MATERIALIZED (
  SELECT * FROM listing_period WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
), series AS MATERIALIZED (
  SELECT * FROM series_period('priced')
), listing_price AS MATERIALIZED (
  SELECT any_value(retailer_id) AS retailer_id, listing_id, count(*) = any_value(period_count) AS is_stable,
         max(price) AS highest,
         max(price) FILTER (period = first_period AND first_period < last_period) AS base,
         max(price) FILTER (period = last_period AND first_period < last_period) AS last_price
  FROM priced, series_span('series') GROUP BY listing_id
), cleared AS (
  -- The median of a listing is expensive; it is only needed if the listing is on clearance against its highest price.
  SELECT listing_id
  FROM priced JOIN listing_price USING (listing_id)
  WHERE on_clearance(last_price, highest)
  GROUP BY listing_id HAVING on_clearance(any_value(last_price), quantile_disc(price, 0.5))
), matched_count AS (
  SELECT retailer_id, cleared.listing_id IS NOT NULL AS is_cleared, log_relative(base, last_price) AS log,
         count(*)::INTEGER AS n
  FROM listing_price LEFT JOIN cleared USING (listing_id)
  WHERE plausible(base, last_price) GROUP BY ALL
), matched_group AS (
  SELECT retailer_id, is_cleared, list(log::DOUBLE) AS logs, list(n) AS counts
  FROM matched_count GROUP BY retailer_id, is_cleared
), ends AS (
  SELECT (SELECT max(period) FROM series) AS period, (SELECT list(matched_group) FROM matched_group) AS matched_groups,
         {base_count: count(base)::INTEGER, base_sum: sum(base)::DOUBLE,
          price_count: count(last_price)::INTEGER, price_sum: sum(last_price)::DOUBLE,
          matched_count: count(base + last_price)::INTEGER,
          matched_base_sum: sum(base) FILTER (last_price IS NOT NULL)::DOUBLE,
          matched_price_sum: sum(last_price) FILTER (base IS NOT NULL)::DOUBLE} AS composition
  FROM listing_price
), middle AS (
  -- The periods between the first and the last: each base period but the first.
  SELECT base_period AS period FROM series WHERE base_period <> (SELECT min(period) FROM series)
), relative AS MATERIALIZED (
  SELECT period, log_relative(base, price) AS log
  FROM priced JOIN middle USING (period) JOIN listing_price USING (listing_id)
  WHERE plausible(base, price)
), moved AS (
  SELECT period, list(log::DOUBLE) AS logs, list(n) AS counts
  FROM (SELECT period, log, count(*)::INTEGER AS n FROM relative WHERE log <> 0 GROUP BY period, log) GROUP BY period
), unmoved AS (
  SELECT period, count(*) FILTER (log = 0)::INTEGER AS n FROM relative GROUP BY period
)
SELECT point.* EXCLUDE (period), observed_min, observed_max, composition, matched_groups,
       {logs: coalesce(logs, []), counts: coalesce(counts, []), unmoved: coalesce(n, 0)} AS relatives
FROM series_point('priced', 'series', 'listing_price') AS point
     LEFT JOIN ends USING (period) LEFT JOIN moved USING (period) LEFT JOIN unmoved USING (period), observed_between
ORDER BY period
