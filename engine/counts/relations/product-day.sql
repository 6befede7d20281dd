-- The days of a product's listings in the days [seen_from, to) whose prices stand in a window, and in the days
-- [since, before) whose prices stand now.
SELECT listing_id, strftime(day, '%Y-%m-%d') AS day, price, list_price, promo_flag, in_stock,
       on_promotion(promo_flag, price, list_price) AS is_promoted, epoch(day) + observed_second AS observed_second
FROM product_observation
