WITH category_price AS MATERIALIZED (
  SELECT * FROM listing_period
), priced AS MATERIALIZED (
  SELECT * FROM category_price WHERE retailer_id = $retailer_id::INTEGER
), series AS MATERIALIZED (
  SELECT * FROM series_period('priced')
), stable AS MATERIALIZED (
  SELECT * FROM series_listing('priced', 'series')
), category_point AS (
  SELECT period, count(*)::INTEGER AS category_count, sum(price)::DOUBLE AS category_sum FROM category_price GROUP BY period
), identified_listing AS MATERIALIZED (
  SELECT listing_id, retailer_id, entity_uid FROM listing
  WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER AND entity_uid IS NOT NULL
), shared_entity AS (
  -- Entities are numbered: a number is cheaper to group by than a text.
  SELECT entity_uid, min(listing_id) AS entity_id FROM identified_listing GROUP BY entity_uid
  HAVING bool_or(retailer_id = $retailer_id::INTEGER) AND bool_or(retailer_id <> $retailer_id::INTEGER)
), entity_listing AS (
  SELECT listing_id, entity_id FROM identified_listing JOIN shared_entity USING (entity_uid)
), entity_price AS (
  SELECT period, entity_id, retailer_id = $retailer_id::INTEGER AS own,
         round(sum(log_relative(1, price)) / count(*))::BIGINT AS mean_log
  FROM category_price JOIN entity_listing USING (listing_id)
  GROUP BY period, entity_id, retailer_id
), entity_gap AS (
  SELECT period, entity_id, max(mean_log) FILTER (own) - round(avg(mean_log) FILTER (NOT own))::BIGINT AS gap
  FROM entity_price GROUP BY period, entity_id
), matched_point AS (
  SELECT period, count(gap)::INTEGER AS matched_entities, sum(gap) AS gap_sum
  FROM entity_gap WHERE gap IS NOT NULL GROUP BY period
)
SELECT own.* EXCLUDE (period), category_count, category_sum, matched_entities, gap_sum, observed_min, observed_max
FROM series_point('priced', 'series', 'stable') AS own
     JOIN category_point USING (period) LEFT JOIN matched_point USING (period), observed_between
ORDER BY period
