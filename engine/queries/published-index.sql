-- The published months of an index in a window, from their newest base month on, each with its place in the window.
WITH published AS (
  SELECT *, datediff('month', ($whole_from::VARCHAR || '-01')::DATE, month)::INTEGER AS place
  FROM index_month
  WHERE country = $country::VARCHAR AND category_path = $index_path::VARCHAR
    AND retailer IS NOT DISTINCT FROM $index_retailer::VARCHAR AND method = $method::VARCHAR
    AND month BETWEEN ($whole_from::VARCHAR || '-01')::DATE AND ($whole_to::VARCHAR || '-01')::DATE
)
SELECT place, log::DOUBLE AS log, first_published
FROM published WHERE base_month = (SELECT max(base_month) FROM published)
ORDER BY place
