-- The texts and newest prices of some current listings.
SELECT listing_id, product_uid, entity_uid, product_id, product_name, brand, brand_id, retailer_id, gpc_id, gpc_precision,
       gpc_source, price, list_price, toFloat64(star_rating) AS star_rating, review_count, promo_flag, in_stock, condition,
       url, observed_second AS observed_at, toUnixTimestamp64Second(assumeNotNull(scraped_at)) AS scraped_at
FROM current_price
WHERE listing_id IN {listing_ids:Array(Int32)}
