SELECT * FROM product_day ORDER BY day, listing_id
