SELECT listing_id, product_name.value AS title, branded.label AS brand
FROM attribute LEFT JOIN branded USING (listing_id)
WHERE product_name IS NOT NULL;
