-- Where each listing stands, by numbers.
CREATE TABLE listing AS
SELECT attribute.listing_id, attribute.country, attribute.platform, attribute.product_id, retailer_id, brand_id, brand.brand,
  category.category_id, accessory_depth, coalesce(condition_reading.condition, 'new') AS condition, gtin14, is_anchor
FROM attribute
JOIN retailer USING (platform)
LEFT JOIN branded USING (listing_id)
LEFT JOIN brand USING (brand_norm)
LEFT JOIN gtin_reading ON gtin_reading.text = attribute.gtin.value
LEFT JOIN condition_reading
  ON field IS NOT DISTINCT FROM attribute.condition.value
  AND title IS NOT DISTINCT FROM CASE WHEN regexp_matches(attribute.product_name.value, getvariable('condition_hint'), 'i')
    THEN attribute.product_name.value END
LEFT JOIN category_reading ON category_reading.text = attribute.category_path.value
JOIN category ON category.category_id
  = coalesce(category_reading.category_id, (SELECT category_id FROM category WHERE path = 'uncategorized'));
