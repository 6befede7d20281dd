CREATE TABLE retailer AS
WITH platform AS (
  SELECT platform, count(*)::INTEGER AS product_count, list(DISTINCT country ORDER BY country) AS countries
  FROM listing_key GROUP BY platform
),
added AS (
  SELECT platform, (SELECT coalesce(max(retailer_id), 0) FROM previous_retailer)
    + row_number() OVER (ORDER BY platform) AS retailer_id
  FROM platform ANTI JOIN previous_retailer USING (platform)
)
SELECT coalesce(previous_retailer.retailer_id, added.retailer_id)::INTEGER AS retailer_id, product_count, platform,
  countries
FROM platform
LEFT JOIN previous_retailer USING (platform)
LEFT JOIN added USING (platform);
