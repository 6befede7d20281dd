-- The share of drawn posts that are kept, in percent, by a trend and the days before the sample's end.
CREATE MACRO trend_pct(in_trend, in_age) AS CASE in_trend
  WHEN 'rising' THEN CASE WHEN in_age <= 30 THEN 100 ELSE 45 END
  WHEN 'falling' THEN CASE WHEN in_age <= 30 THEN 40 ELSE 90 END
  WHEN 'new' THEN CASE WHEN in_age <= 25 THEN 90 ELSE 0 END
  ELSE 70 END;

CREATE TABLE social_post AS
WITH drawn AS (
  SELECT post_no, below(post_no, 'posted', getvariable('days') * 86400) AS second,
         getvariable('days') - second // 86400 AS age,
         pick((SELECT list(name ORDER BY name) FROM department), post_no, 'department') AS department
  FROM range(2000 + least(getvariable('listings') * 6 // 5, 60000)) AS numbers(post_no)
),
discussed AS (
  SELECT department, list({'theme': theme, 'gpc_codes': gpc_codes, 'trend': trend} ORDER BY theme) AS topics
  FROM topic GROUP BY department
),
department_brands AS (
  SELECT department, list({'brand_norm': brand_norm, 'trend': trend} ORDER BY uniform(brand_no, 'fame')) AS brands
  FROM department_brand JOIN brand USING (brand_no) GROUP BY department
),
described AS (
  SELECT post_no, second, age, department, chance(post_no, 'noise', 6) AS is_noise,
         pick(topics, post_no, 'topic') AS topic,
         CASE WHEN chance(post_no, 'branded', 70)
           THEN brands[floor(pow(len(brands) + 1, uniform(post_no, 'brand')))::INTEGER] END AS brand
  FROM drawn JOIN discussed USING (department) JOIN department_brands USING (department)
)
SELECT post_no, second, department, is_noise, topic, brand, exp(7 + 1.6 * gauss(post_no, 'views')) AS views
FROM described
WHERE chance(post_no, 'topic trend', trend_pct(topic.trend, age))
  AND (brand IS NULL OR chance(post_no, 'brand trend', trend_pct(brand.trend, age)));
