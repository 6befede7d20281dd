-- By period, how far the mean log of a product's prices at the queried retailer is from the mean of the others' means:
-- of each entity (is_certain), and of each likely product and each entity in none (is_likely).
WITH identified_listing AS MATERIALIZED (
  SELECT listing_id, retailer_id, entity_uid, likely_uid FROM listing
  WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
    AND (entity_uid IS NOT NULL OR likely_uid IS NOT NULL)
), product_listing AS (
  SELECT listing_id, retailer_id, entity_uid AS product_uid, true AS is_certain, likely_uid IS NULL AS is_likely
  FROM identified_listing WHERE entity_uid IS NOT NULL
  UNION ALL
  SELECT listing_id, retailer_id, likely_uid, false, true FROM identified_listing WHERE likely_uid IS NOT NULL
), shared_product AS (
  -- Products are numbered: a number is cheaper to group by than a text.
  SELECT product_uid, is_certain, bool_and(is_likely) AS is_likely, min(listing_id) AS product_id
  FROM product_listing GROUP BY product_uid, is_certain
  HAVING bool_or(retailer_id = $retailer_id::INTEGER) AND bool_or(retailer_id <> $retailer_id::INTEGER)
), shared_listing AS (
  SELECT listing_id, product_id, is_certain, shared_product.is_likely AS is_likely
  FROM product_listing JOIN shared_product USING (product_uid, is_certain)
), product_price AS (
  SELECT period, product_id, is_certain, is_likely, retailer_id = $retailer_id::INTEGER AS is_own,
         round(sum(log_relative(1, price)) / count(*))::BIGINT AS mean_log
  FROM listing_period JOIN shared_listing USING (listing_id)
  GROUP BY period, product_id, is_certain, is_likely, retailer_id
)
SELECT period - DATE '1970-01-01' AS period, is_certain, is_likely,
       max(mean_log) FILTER (is_own) - round(avg(mean_log) FILTER (NOT is_own))::BIGINT AS gap
FROM product_price GROUP BY period, product_id, is_certain, is_likely
