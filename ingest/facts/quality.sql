-- in: cell, retailer, listed_month, title_reading, entity, listing, likely_listing, $lake out:
-- The retailer-months with new rows in this refresh, compared with the month before. The price ratio is the median,
-- over listings, of the month's price divided by the price of the listing's previous month.
WITH counted AS (
  SELECT platform, country, make_date(month // 100, month % 100, 1) AS period, sum(rows) AS rows_read,
    coalesce(sum(rows) FILTER (fault IS NOT NULL), 0) AS quarantined, bool_or(fault IS NULL) AS has_arrived,
    coalesce(sum(rows) FILTER (contains(dropped, 'list_price:') OR contains(dropped, 'recommended_price:')), 0) AS unread
  FROM cell WHERE platform IS NOT NULL AND country IS NOT NULL AND month BETWEEN 199001 AND 209912
  GROUP BY ALL
),
touched AS (
  SELECT retailer_id, counted.* FROM counted JOIN retailer USING (platform) WHERE has_arrived
),
listing_month AS (
  SELECT country, retailer_id, listing_id, period, price, observation_count, lag(price) OVER months AS price_before,
    lag(period) OVER months AS period_before, lead(period) OVER months AS period_after
  FROM read_parquet(getvariable('lake')['snapshot_glob'] || '/listing_months/*/*/*.parquet', hive_partitioning = true,
    hive_types = {'country': VARCHAR})
  SEMI JOIN touched USING (country, retailer_id)
  WINDOW months AS (PARTITION BY country, listing_id ORDER BY period)
),
-- Listings of entities that two or more retailers offer.
matched AS (
  SELECT listing_id FROM entity SEMI JOIN (
    SELECT entity_uid FROM entity JOIN listing USING (listing_id)
    GROUP BY entity_uid HAVING min(retailer_id) <> max(retailer_id)
  ) AS shared USING (entity_uid)
),
month_total AS (
  SELECT country, retailer_id, period, sum(observation_count) AS rows, count(*) AS listings,
    count(*) FILTER (period_before IS NULL) AS new_listings, count(price_before) AS matched_listings,
    median(price / price_before) AS price_ratio,
    count(*) FILTER (period_after IS DISTINCT FROM (period + INTERVAL 1 MONTH)::DATE) AS last_seen,
    count(*) FILTER (sizes_differ) AS different_sizes,
    count(matched.listing_id) AS certain, count(likely_uid) FILTER (matched.listing_id IS NULL) AS likely
  FROM listing_month
  LEFT JOIN title_reading USING (listing_id)
  LEFT JOIN matched USING (listing_id)
  LEFT JOIN likely_listing USING (listing_id)
  GROUP BY ALL
)
SELECT platform AS retailer, country, strftime(period, '%Y-%m') AS month, now.rows::DOUBLE AS rows,
  now.listings::INTEGER AS listings, before.rows::DOUBLE AS rows_before, now.matched_listings::INTEGER AS matched_listings,
  now.price_ratio, touched.quarantined / touched.rows_read AS quarantined_share,
  now.new_listings::INTEGER AS new_listings, coalesce(before.last_seen, 0)::INTEGER AS vanished_listings,
  now.different_sizes::INTEGER AS different_sizes, touched.unread::INTEGER AS unread_prices,
  now.certain::INTEGER AS certain_matches, now.likely::INTEGER AS likely_matches, above / listed_month.rows AS list_price_share
FROM touched
JOIN month_total AS now USING (country, retailer_id, period)
JOIN listed_month USING (country, retailer_id, period)
LEFT JOIN month_total AS before ON before.country = touched.country AND before.retailer_id = touched.retailer_id
  AND before.period = (touched.period - INTERVAL 1 MONTH)::DATE
ORDER BY retailer, country, month;
