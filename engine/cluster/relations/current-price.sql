-- Current listings with the second of their newest observation, and whether they are on promotion.
SELECT *, toUnixTimestamp64Second(assumeNotNull(observed_at)) AS observed_second,
       on_promotion(promo_flag, price, list_price) AS is_promoted
FROM current_listing
