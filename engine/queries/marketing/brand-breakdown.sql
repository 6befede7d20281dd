SELECT category_id, count(*)::INTEGER AS product_count, epoch(min(observed_at)) AS observed_min,
       epoch(max(observed_at)) AS observed_max
FROM current_listing
WHERE brand_id = $brand_id::INTEGER
GROUP BY category_id
ORDER BY category_id
