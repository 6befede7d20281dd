SELECT product_uid, entity_uid, product_name, brand, category_id, listing_id
FROM listing JOIN retailer USING (retailer_id)
WHERE country = $country::VARCHAR AND ($retailer::VARCHAR IS NULL OR platform = $retailer::VARCHAR)
  AND CASE WHEN $product_uid::VARCHAR IS NOT NULL THEN product_uid = $product_uid::VARCHAR
           WHEN $entity_uid::VARCHAR IS NOT NULL THEN entity_uid = $entity_uid::VARCHAR
           ELSE list_bool_and(list_transform(string_split(lower($q::VARCHAR), ' '),
             lambda word: contains(lower(product_name), word))) END
ORDER BY price IS NULL, review_count DESC NULLS LAST, observed_at DESC NULLS LAST, listing_id
LIMIT 200
