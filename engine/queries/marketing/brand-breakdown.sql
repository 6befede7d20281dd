WITH shelf AS (
  SELECT category_id, count(*)::INTEGER AS product_count, min(observed_at) AS observed_from, max(observed_at) AS observed_to
  FROM current_listing($country::VARCHAR, 0, 2147483647, $since::DATE, $before::DATE)
  WHERE brand_id = $brand_id::INTEGER
  GROUP BY category_id
)
SELECT department AS category_root, sum(shelf.product_count)::INTEGER AS product_count,
       epoch(min(observed_from)) AS observed_min, epoch(max(observed_to)) AS observed_max
FROM shelf JOIN category USING (category_id)
GROUP BY department
ORDER BY product_count DESC, category_root
