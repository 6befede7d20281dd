SELECT coalesce(brand_id, 0) AS brand, count() AS n, min(observed_second) AS observed_from,
       max(observed_second) AS observed_to
FROM current_price
WHERE {retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)}
GROUP BY brand
ORDER BY brand
