-- Without a retailer every listing is in scope. With one, the others still count towards the floor of the category.
WITH counted AS (
  SELECT price, condition = 'new' AS is_new, accessory_depth > $shelf_depth::INTEGER AS is_accessory,
         coalesce(retailer_id = $retailer_id::INTEGER, true) AS is_in_scope, count(*)::INTEGER AS listings,
         min(observed_at) AS observed_from, max(observed_at) AS observed_to
  FROM current_listing
  GROUP BY ALL
)
SELECT list(price) AS prices, list(is_new) AS are_new, list(is_accessory) AS are_accessories,
       list(is_in_scope) AS are_in_scope, list(listings) AS listings,
       epoch(min(observed_from) FILTER (is_in_scope)) AS observed_min,
       epoch(max(observed_to) FILTER (is_in_scope)) AS observed_max
FROM counted
