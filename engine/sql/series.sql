-- The listing-period prices of a scope and window: the discrete median of a listing's days, always a posted price
-- (Cavallo 2018: averaging and imputing create spurious small changes). Whole months come from their roll-up, days of
-- cut months and other periods from the observations; in_whole_from > in_whole_to where there is no whole month.
CREATE MACRO listing_period(
  in_country, in_first, in_last, in_retailer, in_brand, in_unit, in_from, in_to,
  in_month_from, in_month_to, in_whole_from, in_whole_to
) AS TABLE
SELECT listing_id, retailer_id, period, price, observation_count, in_stock, promo
FROM listing_month
WHERE country = in_country AND month BETWEEN in_whole_from AND in_whole_to
  AND category_id BETWEEN in_first AND in_last
  AND (in_retailer IS NULL OR retailer_id = in_retailer)
  AND (in_brand IS NULL OR brand_id = in_brand)
UNION ALL
SELECT listing_id, any_value(retailer_id), date_trunc(in_unit, day)::DATE, quantile_disc(price, 0.5), count(*)::INTEGER,
       arg_max_null(in_stock, day), arg_max(on_promotion(promo_flag, price, list_price), day)
FROM observation
WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to
  AND month NOT BETWEEN in_whole_from AND in_whole_to
  AND category_id BETWEEN in_first AND in_last
  AND (in_retailer IS NULL OR retailer_id = in_retailer)
  AND (in_brand IS NULL OR brand_id = in_brand)
  AND day >= in_from AND day < in_to
GROUP BY listing_id, date_trunc(in_unit, day);

-- When a scope was first and last observed in a window, in seconds since 1970.
CREATE MACRO observed_between(in_country, in_first, in_last, in_retailer, in_from, in_to) AS TABLE
SELECT min(epoch(day) + first_second) AS observed_min, max(epoch(day) + last_second) AS observed_max
FROM shelf_day
WHERE country = in_country AND day >= in_from AND day < in_to AND category_id BETWEEN in_first AND in_last
  AND (in_retailer IS NULL OR retailer_id = in_retailer);
