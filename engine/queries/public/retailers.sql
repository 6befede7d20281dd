WITH platform AS (
  SELECT platform, product_count, countries, strftime(last_observed_at, '%Y-%m-%dT%H:%M:%SZ') AS last_observed_at,
         row_number() OVER (ORDER BY platform)::INTEGER AS place
  FROM retailer
)
SELECT count(*)::INTEGER AS total,
       list({platform: platform, product_count: product_count, countries: countries, last_observed_at: last_observed_at}
         ORDER BY place) FILTER (place > $offset::INTEGER AND place <= $offset::INTEGER + $limit::INTEGER) AS items
FROM platform
