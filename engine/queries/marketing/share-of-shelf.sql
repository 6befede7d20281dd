WITH shelf AS (
  SELECT coalesce(brand_id, 0) AS brand_id, count(*)::INTEGER AS listings,
         min(observed_at) AS observed_from, max(observed_at) AS observed_to
  FROM current_listing($country::VARCHAR, $first::INTEGER, $last::INTEGER, $since::DATE, $before::DATE,
    in_gpc_first := $gpc_first::INTEGER, in_gpc_last := $gpc_last::INTEGER)
  WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
  GROUP BY brand_id
)
SELECT coalesce(list(brand_id), []) AS brand_ids, coalesce(list(listings), []) AS listings,
       epoch(min(observed_from)) AS observed_min, epoch(max(observed_to)) AS observed_max
FROM shelf
