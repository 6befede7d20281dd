-- The new listings with a size that are priced in the first and the last full month of a scope, within the fence, with the logs
-- of the price relative and of the size before over the size after.
WITH ends AS (
  SELECT listing_id, any_value(retailer_id) AS retailer_id,
         max(price) FILTER (period = ($whole_from::VARCHAR || '-01')::DATE) AS base,
         max(price) FILTER (period = ($whole_to::VARCHAR || '-01')::DATE) AS price
  FROM scope_month
  WHERE period = ($whole_from::VARCHAR || '-01')::DATE OR period = ($whole_to::VARCHAR || '-01')::DATE
  GROUP BY listing_id
), sized AS (
  SELECT listing_id FROM listing
  WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER AND condition = 'new' AND size_milli IS NOT NULL
), resized AS (
  SELECT listing_id, sum(log_relative(size, previous_size))::BIGINT AS log FROM size_step GROUP BY listing_id
)
SELECT retailer_id, log_relative(base, price) AS price_log, coalesce(log, 0) AS size_log, log IS NOT NULL AS is_resized
FROM ends SEMI JOIN sized USING (listing_id) LEFT JOIN resized USING (listing_id) WHERE plausible(base, price)
