WITH shelf AS MATERIALIZED (
  SELECT brand_id, count(*)::INTEGER AS product_count, min(observed_at) AS observed_from, max(observed_at) AS observed_to
  FROM current_listing($country::VARCHAR, $first::INTEGER, $last::INTEGER, $since::DATE, $before::DATE,
    in_gpc_first := $gpc_first::INTEGER, in_gpc_last := $gpc_last::INTEGER)
  WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
  GROUP BY brand_id
), branded AS (
  SELECT brand.brand, brand.brand_norm, shelf.product_count FROM shelf JOIN brand USING (brand_id)
)
SELECT coalesce(sum(product_count), 0)::INTEGER AS listing_count,
       coalesce(sum(product_count) FILTER (brand_id IS NULL), 0)::INTEGER AS unbranded_count,
       epoch(min(observed_from)) AS observed_min, epoch(max(observed_to)) AS observed_max,
       (SELECT list({brand: brand, product_count: product_count} ORDER BY product_count DESC, brand_norm)
        FROM branded) AS brands
FROM shelf
