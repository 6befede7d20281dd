SELECT category_id AS category, count() AS n, min(observed_second) AS observed_from, max(observed_second) AS observed_to
FROM current_price
WHERE brand_id = {brand_id:Int32}
GROUP BY category
ORDER BY category
