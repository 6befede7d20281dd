-- name: window
-- in: $lake out: index_mask
-- The listings of a country that are priced in the same months of a window, by shelf and retailer: how many they are, and the
-- sum of the logs of their prices in each of these months. Month n is bit n of mask; the log of a price is that of its
-- relative to the median of its listing. A price beyond the fence around that is set aside.
CREATE OR REPLACE TEMP TABLE index_mask AS
WITH priced AS (
  SELECT listing_id, category_id, retailer_id, price, month_number(period) - $from::INTEGER AS place
  FROM read_parquet(getvariable('lake')['snapshot_glob'] || '/listing_months/*/*/*.parquet', hive_partitioning = true,
    hive_types = {'country': VARCHAR, 'year': VARCHAR})
  WHERE country = $country AND period BETWEEN month_day($from::INTEGER) AND month_day($to::INTEGER)
    AND year BETWEEN left(month_day($from::INTEGER)::VARCHAR, 4) AND left(month_day($to::INTEGER)::VARCHAR, 4)
),
middle AS (
  SELECT listing_id, quantile_disc(price, 0.5) AS median FROM priced GROUP BY listing_id
),
kept AS (
  SELECT listing_id, category_id, retailer_id, place, log_relative(median, price) AS log
  FROM priced JOIN middle USING (listing_id) WHERE plausible(median, price)
),
masked AS (
  SELECT listing_id, sum(1::BIGINT << place)::INTEGER AS mask FROM kept GROUP BY listing_id
),
counted AS (
  SELECT category_id, retailer_id, mask, place, count(*)::INTEGER AS n, sum(log)::DOUBLE AS log
  FROM kept JOIN masked USING (listing_id) GROUP BY ALL
)
SELECT category_id, retailer_id, mask, any_value(n) AS n, list(log ORDER BY place) AS logs FROM counted GROUP BY ALL;

-- name: department
-- in: index_mask out:
-- Those of a department.
SELECT category_id, retailer_id, mask, n, logs FROM index_mask
WHERE category_id BETWEEN $first::INTEGER AND $last::INTEGER
ORDER BY category_id, retailer_id, mask;
