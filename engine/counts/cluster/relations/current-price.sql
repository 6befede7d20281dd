-- Current listings with what is counted of them.
SELECT category_id, retailer_id, brand_id, price, accessory_depth, toInt32(100 * star_rating) AS rating,
       condition = 'new' AS is_new, on_promotion(promo_flag, price, list_price) AS is_promoted, in_stock AS is_in_stock,
       in_stock IS NOT NULL AS is_stock_known, observed_at
FROM current_listing
