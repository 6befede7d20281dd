-- The new listings of a scope that were observed in the days [from, to), with whether another retailer sells their product. Of
-- several of one product a retailer is represented by the one that was observed on most
-- days, of equals by the first product_uid.
WITH observed AS (
  SELECT listing_id, count(*) AS days FROM scope_observation GROUP BY listing_id
), sold AS (
  SELECT listing_id, retailer_id, product_uid, entity_uid, days FROM observed JOIN listing USING (listing_id)
  WHERE country = $country::VARCHAR AND condition = 'new'
)
SELECT listing_id, retailer_id, entity_uid, entity_uid IS NOT NULL AS is_identified,
       entity_uid IS NOT NULL AND min(retailer_id) OVER product < max(retailer_id) OVER product AS is_joined,
       entity_uid IS NOT NULL AND row_number() OVER (PARTITION BY entity_uid, retailer_id ORDER BY days DESC, product_uid) = 1 AS is_chosen
FROM sold WINDOW product AS (PARTITION BY entity_uid)
