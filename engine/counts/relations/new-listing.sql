-- The current new listings of a scope with their products, and whether another retailer sells these, too.
WITH identified AS (
  SELECT retailer_id, price, observed_at, entity_uid, coalesce(likely_uid, entity_uid) AS product_uid
  FROM current_listing WHERE condition = 'new'
)
SELECT *, entity_uid IS NOT NULL AS is_identified,
       entity_uid IS NOT NULL AND min(retailer_id) OVER entity < max(retailer_id) OVER entity AS is_joined,
       product_uid IS NOT NULL AND min(retailer_id) OVER product < max(retailer_id) OVER product AS is_likely_joined
FROM identified WINDOW entity AS (PARTITION BY entity_uid), product AS (PARTITION BY product_uid)
