WITH cell AS (
  SELECT *, row_number() OVER (ORDER BY platform, country, category_root)::INTEGER AS place
  FROM coverage_cell
  WHERE ($country::VARCHAR IS NULL OR country = $country::VARCHAR)
    AND ($platform::VARCHAR IS NULL OR platform = $platform::VARCHAR)
    AND ($category_root::VARCHAR IS NULL OR category_root = $category_root::VARCHAR)
    AND ($quality_status::VARCHAR IS NULL OR quality_status = $quality_status::VARCHAR)
)
SELECT count(*)::INTEGER AS total,
       list({platform: platform, country: country, category_root: category_root,
             priced_product_count: priced_product_count, recent_priced_product_count: recent_priced_product_count,
             known_brand_product_count: known_brand_product_count, quality_status: quality_status,
             is_serving_eligible: is_serving_eligible, last_observed_at: last_observed_at} ORDER BY place)
         FILTER (place > $offset::INTEGER AND place <= $offset::INTEGER + $limit::INTEGER) AS items
FROM cell
