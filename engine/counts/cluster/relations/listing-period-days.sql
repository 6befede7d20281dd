-- The listing-period prices of weeks and of partial months: the discrete median of a listing's days, from the observations.
SELECT listing_id, retailer_id, any(observation.category_id) AS category_id, any(observation.brand_id) AS brand_id, start_of({unit:String}, day) AS period,
       quantileExactLow(0.5)(observation.price) AS price, count()::Int32 AS observation_count,
       argMax(tuple(observation.in_stock), day).1 AS in_stock,
       argMax(on_promotion(promo_flag, observation.price, list_price), day) AS promo
FROM scope_observation AS observation
WHERE month NOT BETWEEN {whole_from:String} AND {whole_to:String}
GROUP BY listing_id, retailer_id, period
