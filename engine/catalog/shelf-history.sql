-- Each retailer's shelf in a department and country over time: totals up to and including each day on which one changes,
-- of listings first observed, of listings last observed, and of observations.
WITH change AS (
  SELECT country, retailer_id, category_id, first_day AS day, 1 AS started, 0 AS ended, 0 AS observed
  FROM listing WHERE first_day IS NOT NULL
  UNION ALL
  SELECT country, retailer_id, category_id, last_day AS day, 0 AS started, 1 AS ended, 0 AS observed
  FROM listing WHERE last_day IS NOT NULL
  UNION ALL
  SELECT country, retailer_id, category_id, day, 0 AS started, 0 AS ended, observation_count AS observed
  FROM shelf_day
), changed_day AS (
  SELECT country, retailer_id, department, day, sum(started) AS started, sum(ended) AS ended, sum(observed) AS observed
  FROM change JOIN category USING (category_id)
  GROUP BY country, retailer_id, department, day
), total AS (
  SELECT country, retailer_id, department, (day - DATE '1970-01-01')::INTEGER AS day,
         sum(started) OVER shelf::INTEGER AS started, sum(ended) OVER shelf::INTEGER AS ended,
         sum(observed) OVER shelf::DOUBLE AS observed
  FROM changed_day
  WINDOW shelf AS (PARTITION BY country, retailer_id, department ORDER BY day)
)
SELECT platform, country, department AS category_root, list(day ORDER BY day) AS days,
       list(started ORDER BY day) AS started, list(ended ORDER BY day) AS ended, list(observed ORDER BY day) AS observed
FROM total JOIN retailer USING (retailer_id)
GROUP BY platform, country, department
ORDER BY platform, country, department
