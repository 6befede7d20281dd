-- A retailer in a country, crawled once a week over six hours.
CREATE TABLE cell AS
WITH open AS (
  SELECT retailer.*, 'us' AS country, us_share AS share FROM retailer WHERE us_share IS NOT NULL
  UNION ALL
  SELECT retailer.*, 'ca', ca_share FROM retailer WHERE ca_share IS NOT NULL
)
SELECT (row_number() OVER (ORDER BY platform, country))::INTEGER AS cell_no,
       (row_number() OVER (ORDER BY country, platform) % 7)::INTEGER AS weekday,
       below(platform || country, 'crawl', 17)::INTEGER AS crawl_hour,
       pick([99, 99, 99, 49, 97], platform, 'ending') AS ending,
       CASE country WHEN 'us' THEN 1.0 ELSE 1.33 END * level AS price_level,
       CASE country WHEN 'us' THEN 'USD' ELSE 'CAD' END AS currency,
       platform, country, share, wave_days, wave_pct, promo_pct, list_price_mode, list_price_type, marks_promos,
       breadcrumb, id_style, title_style, gtin_digits, gtin_pct, role, split(departments) AS departments
FROM open;

CREATE TABLE cell_department AS
SELECT cell_no, name AS department FROM cell CROSS JOIN department
WHERE departments IS NULL OR list_contains(departments, name);
