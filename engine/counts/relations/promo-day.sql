-- The observations of a scope by ISO week: the year that the week belongs to, which at the turn of a year is not that of the day.
SELECT retailer_id, isoyear(day)::INTEGER AS iso_year, week(day)::INTEGER AS iso_week,
       on_promotion(promo_flag, price, list_price) AS is_promoted, round(promotion_depth(price, list_price) / 1e5)::INTEGER AS depth
FROM scope_observation
