WITH feed AS (
  SELECT platform, min(day) AS first_day, max(day) AS last_day FROM social_day WHERE day < $before::DATE GROUP BY platform
), department AS (
  SELECT platform, max(day) AS department_day FROM social_day
  WHERE day < $before::DATE AND category_root = $category_root::VARCHAR AND posts + noise_posts > 0
  GROUP BY platform
)
SELECT platform, first_day::VARCHAR AS first_day, last_day::VARCHAR AS last_day,
       department_day::VARCHAR AS department_day
FROM feed LEFT JOIN department USING (platform)
ORDER BY platform
