-- The listings of a scope that were priced in the last of its full months or the one before, and whether in an earlier one, too.
WITH priced AS (
  SELECT listing_id, any_value(retailer_id) AS retailer_id, any_value(category_id) AS category_id, bool_or(period = last) AS is_priced,
         bool_or(period = last - INTERVAL 1 MONTH) AS was_priced, bool_or(period < last - INTERVAL 1 MONTH) AS was_earlier
  FROM (SELECT *, ($whole_to::VARCHAR || '-01')::DATE AS last FROM scope_month) AS dated GROUP BY listing_id
)
SELECT * FROM priced WHERE is_priced OR was_priced
