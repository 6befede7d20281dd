-- Kinds: 0, listings by price with the number on promotion; 1, by brand and retailer.
SELECT kind, if(kind = 1, coalesce(brand_id, 0), 0) AS brand, if(kind = 1, retailer_id, 0) AS retailer,
       if(kind = 0, price, 0) AS value, count() AS n, [toInt64(countIf(is_promoted))] AS sums,
       min(observed_second) AS observed_from, max(observed_second) AS observed_to
FROM current_price ARRAY JOIN [0, 1] AS kind
WHERE {retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)}
GROUP BY kind, brand, retailer, value
ORDER BY kind, brand, retailer, value
