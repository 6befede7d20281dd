-- The observations of a scope with what is counted of them.
SELECT retailer_id, brand_id, on_promotion(promo_flag, price, list_price) AS is_promoted,
       promotion_depth(price, list_price) AS depth
FROM scope_observation
