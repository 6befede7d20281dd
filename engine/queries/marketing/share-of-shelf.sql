WITH shelf AS (
  SELECT coalesce(brand_id, 0) AS brand_id, count(*)::INTEGER AS listings,
         min(observed_at) AS observed_from, max(observed_at) AS observed_to
  FROM current_listing
  WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
  GROUP BY brand_id
)
SELECT coalesce(list(brand_id), []) AS brand_ids, coalesce(list(listings), []) AS listings,
       epoch(min(observed_from)) AS observed_min, epoch(max(observed_to)) AS observed_max
FROM shelf
