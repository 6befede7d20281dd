-- The current new listings of a scope with their products, and whether another retailer sells these, too.
WITH identified AS MATERIALIZED (
  SELECT retailer_id, price, observed_at, entity_uid, coalesce(likely_uid, entity_uid) AS product_uid
  FROM current_listing WHERE condition = 'new'
), joined AS (
  SELECT entity_uid FROM identified WHERE entity_uid IS NOT NULL
  GROUP BY entity_uid HAVING min(retailer_id) < max(retailer_id)
), likely_joined AS (
  SELECT product_uid FROM identified WHERE product_uid IS NOT NULL
  GROUP BY product_uid HAVING min(retailer_id) < max(retailer_id)
)
SELECT *, entity_uid IS NOT NULL AS is_identified, entity_uid IS NOT NULL AND entity_uid IN (SELECT entity_uid FROM joined) AS is_joined,
       product_uid IS NOT NULL AND product_uid IN (SELECT product_uid FROM likely_joined) AS is_likely_joined
FROM identified
