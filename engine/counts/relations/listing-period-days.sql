-- The listing-period prices of weeks and of partial months: the discrete median of a listing's days, from the observations.
SELECT listing_id, retailer_id, any_value(category_id) AS category_id, any_value(brand_id) AS brand_id,
       date_trunc($unit::VARCHAR, day)::DATE AS period,
       quantile_disc(price, 0.5) AS price, count(*)::INTEGER AS observation_count,
       arg_max_null(in_stock, day) AS in_stock, arg_max(on_promotion(promo_flag, price, list_price), day) AS promo
FROM scope_observation
WHERE month NOT BETWEEN $whole_from::VARCHAR AND $whole_to::VARCHAR
GROUP BY listing_id, retailer_id, date_trunc($unit::VARCHAR, day)
