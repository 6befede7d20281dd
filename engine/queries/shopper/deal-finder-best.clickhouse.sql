SELECT listing_id, product_uid, price, list_price, (list_price - price) / list_price AS depth,
       -depth * log(price / 100) AS sort_key
FROM current_deal
WHERE brand_id IS NOT NULL
ORDER BY sort_key, depth DESC, product_uid
LIMIT {limit:UInt32}
