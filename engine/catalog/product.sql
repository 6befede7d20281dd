SELECT product_uid, entity_uid, product_name, brand
FROM listing
WHERE country = $country::VARCHAR AND category_id = $category_id::INTEGER AND listing_id = $listing_id::INTEGER
