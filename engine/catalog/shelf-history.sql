-- The changes of each shelf (retailer, department, country) by day: listings first observed, listings last observed, and
-- observations.
WITH change AS (
  SELECT country, retailer_id, category_id, first_day AS day, 1 AS started, 0 AS ended, 0 AS observed
  FROM listing WHERE first_day IS NOT NULL
  UNION ALL
  SELECT country, retailer_id, category_id, last_day AS day, 0 AS started, 1 AS ended, 0 AS observed
  FROM listing WHERE last_day IS NOT NULL
  UNION ALL
  SELECT country, retailer_id, category_id, day, 0 AS started, 0 AS ended, observation_count AS observed
  FROM shelf_day
), shelf AS (
  SELECT category_id, min(category_id) OVER (PARTITION BY department) AS department_id FROM category
)
SELECT ascii(country) * 256 + ascii(country[2]) AS country, retailer_id, department_id, (day - DATE '1970-01-01')::INTEGER AS day,
       sum(started)::INTEGER AS started, sum(ended)::INTEGER AS ended, sum(observed)::DOUBLE AS observed
FROM change JOIN shelf USING (category_id)
GROUP BY country, retailer_id, department_id, day
ORDER BY country, retailer_id, department_id, day
