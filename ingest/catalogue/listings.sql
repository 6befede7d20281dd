-- Where each listing stands, by numbers.
CREATE TABLE listing AS
WITH told AS (
  SELECT listing_id, country, platform, product_id, gtin.value AS gtin, category_path.value AS category_path,
    condition.value AS field, telling_title(product_name.value) AS title
  FROM attribute
)
SELECT told.listing_id, told.country, platform, told.product_id, retailer_id, brand_id, brand.brand,
  category.category_id, accessory_depth, coalesce(condition_reading.condition, 'new') AS condition, gtin14, is_anchor
FROM told
JOIN retailer USING (platform)
LEFT JOIN branded USING (listing_id)
LEFT JOIN brand USING (brand_norm)
LEFT JOIN gtin_reading ON gtin_reading.text = gtin
LEFT JOIN condition_reading ON condition_reading.field IS NOT DISTINCT FROM told.field
  AND condition_reading.title IS NOT DISTINCT FROM told.title
LEFT JOIN category_reading ON category_reading.text = category_path
JOIN category ON category.category_id
  = coalesce(category_reading.category_id, (SELECT category_id FROM category WHERE path = 'uncategorized'));
