-- in: attribute, listing_key, previous_brand, previous_retailer, brand_reading, barcode_reading, kept_reading, condition_text, condition_reading, category, category_reading out: branded, brand, retailer, listing
-- Numbers brands and retailers, and sets the brand, retailer, category, condition and barcode of each listing. Returns
-- how many barcodes are not used, by reason; a barcode counts once for every listing that has it.

-- Placeholders of the listing's country are not brands.
CREATE TABLE branded AS
SELECT listing_id, brand_norm, label, country IN ('us', 'ca') AS is_usual
FROM attribute JOIN brand_reading ON text = brand.value
WHERE brand_norm IS NOT NULL
  AND NOT CASE country WHEN 'ca' THEN is_placeholder_ca ELSE is_placeholder_us END;

-- A brand is written as most of its listings write it, those of us and ca first: answers about these do not change when
-- the lake gets other countries.
CREATE TABLE brand AS
WITH spelling AS (
  SELECT brand_norm, label, count(*) AS listings, count_if(is_usual) AS usual_listings FROM branded GROUP BY ALL
),
labelled AS (
  SELECT brand_norm, label AS brand, sum(listings) OVER (PARTITION BY brand_norm)::INTEGER AS product_count
  FROM spelling
  QUALIFY row_number() OVER (PARTITION BY brand_norm ORDER BY usual_listings DESC, listings DESC, label) = 1
),
added AS (
  SELECT brand_norm, (SELECT coalesce(max(brand_id), 0) FROM previous_brand)
    + row_number() OVER (ORDER BY brand_norm) AS brand_id
  FROM labelled ANTI JOIN previous_brand USING (brand_norm)
)
SELECT coalesce(previous_brand.brand_id, added.brand_id)::INTEGER AS brand_id, product_count, brand_norm, brand
FROM labelled
LEFT JOIN previous_brand USING (brand_norm)
LEFT JOIN added USING (brand_norm);

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

CREATE TABLE listing AS
WITH uncategorized AS (
  SELECT category_id FROM category WHERE path = 'uncategorized'
),
-- Joined by an expression over several tables, each listing would be compared with every category.
placed AS (
  SELECT listing_id, coalesce(category_reading.category_id, uncategorized.category_id) AS category_id
  FROM attribute LEFT JOIN category_reading ON text = category_path.value, uncategorized
)
SELECT attribute.listing_id, attribute.country, platform, product_id, retailer_id, brand_id, brand.brand,
  category_id, accessory_depth,
  coalesce(kept_reading.condition, condition_reading.condition, 'new') AS condition,
  coalesce(kept_reading.gtin14, barcode_reading.gtin14) AS gtin14,
  coalesce(kept_reading.is_anchor, barcode_reading.is_anchor) AS is_anchor,
  coalesce(kept_reading.dropped_codes, barcode_reading.dropped_codes) AS dropped_codes
FROM attribute
LEFT JOIN kept_reading USING (listing_id)
JOIN retailer USING (platform)
LEFT JOIN branded USING (listing_id)
LEFT JOIN brand USING (brand_norm)
LEFT JOIN barcode_reading ON barcode_reading.text = attribute.gtin.value
LEFT JOIN condition_text USING (listing_id)
LEFT JOIN condition_reading ON condition_reading.field IS NOT DISTINCT FROM condition_text.field
  AND condition_reading.title IS NOT DISTINCT FROM condition_text.title
JOIN placed USING (listing_id)
JOIN category USING (category_id);

WITH counted AS (
  SELECT reason, count(*)::INTEGER AS listings
  FROM (SELECT unnest(string_split(dropped_codes, ' ')) AS reason FROM listing) GROUP BY reason
)
SELECT map(list(reason ORDER BY reason), list(listings ORDER BY reason)) AS dropped FROM counted;
