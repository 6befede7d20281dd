-- Brands by key; a placeholder in a listing's country is no brand there. The label is the most frequent spelling.
CREATE TABLE branded AS
SELECT listing_id, brand_norm, label
FROM attribute JOIN brand_reading ON text = brand.value
WHERE brand_norm IS NOT NULL
  AND NOT CASE country WHEN 'us' THEN is_placeholder_us ELSE is_placeholder_ca END;

CREATE TABLE brand AS
WITH spelling AS (
  SELECT brand_norm, label, count(*) AS listings FROM branded GROUP BY ALL
),
commonest AS (
  SELECT brand_norm, label AS brand, sum(listings) OVER (PARTITION BY brand_norm)::INTEGER AS product_count
  FROM spelling
  QUALIFY row_number() OVER (PARTITION BY brand_norm ORDER BY listings DESC, label) = 1
),
added AS (
  SELECT brand_norm, (SELECT coalesce(max(brand_id), 0) FROM previous_brand)
    + row_number() OVER (ORDER BY brand_norm) AS brand_id
  FROM commonest ANTI JOIN previous_brand USING (brand_norm)
)
SELECT coalesce(previous_brand.brand_id, added.brand_id)::INTEGER AS brand_id, product_count, brand_norm, brand
FROM commonest
LEFT JOIN previous_brand USING (brand_norm)
LEFT JOIN added USING (brand_norm);
