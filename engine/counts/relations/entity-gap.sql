-- By period, how far the mean log of an entity's prices at the queried retailer is from the mean of the others' means.
WITH identified_listing AS MATERIALIZED (
  SELECT listing_id, retailer_id, entity_uid FROM listing
  WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER AND entity_uid IS NOT NULL
), shared_entity AS (
  -- Entities are numbered: a number is cheaper to group by than a text.
  SELECT entity_uid, min(listing_id) AS entity_id FROM identified_listing GROUP BY entity_uid
  HAVING bool_or(retailer_id = $retailer_id::INTEGER) AND bool_or(retailer_id <> $retailer_id::INTEGER)
), entity_listing AS (
  SELECT listing_id, entity_id FROM identified_listing JOIN shared_entity USING (entity_uid)
), entity_price AS (
  SELECT period, entity_id, retailer_id = $retailer_id::INTEGER AS is_own,
         round(sum(log_relative(1, price)) / count(*))::BIGINT AS mean_log
  FROM listing_period JOIN entity_listing USING (listing_id)
  GROUP BY period, entity_id, retailer_id
)
SELECT period - DATE '1970-01-01' AS period,
       max(mean_log) FILTER (is_own) - round(avg(mean_log) FILTER (NOT is_own))::BIGINT AS gap
FROM entity_price GROUP BY period, entity_id
