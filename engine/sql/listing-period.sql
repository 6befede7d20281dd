-- The listing-period prices of a scope and window: the discrete median of a listing's days, always a posted price
-- (Cavallo 2018: averaging and imputing create spurious small changes). Whole months come from their roll-up, days of
-- cut months and other periods from the observations; in_whole_from > in_whole_to where there is no whole month.
CREATE MACRO months.listing_period(
  in_country, in_first, in_last, in_retailer, in_brand, in_unit, in_from, in_to,
  in_month_from, in_month_to, in_whole_from, in_whole_to, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT listing_id, retailer_id, period, price, observation_count, in_stock, promo
FROM listing_month
WHERE country = in_country AND year BETWEEN left(in_whole_from, 4) AND left(in_whole_to, 4)
  AND period BETWEEN (in_whole_from || '-01')::DATE AND (in_whole_to || '-01')::DATE
  AND category_id BETWEEN in_first AND in_last
  AND (in_retailer IS NULL OR retailer_id = in_retailer)
  AND (in_brand IS NULL OR brand_id = in_brand)
  AND is_of_type(listing_id, in_country, in_gpc_first, in_gpc_last);

-- A listing has one observation a day.
CREATE MACRO each_day.listing_period(
  in_country, in_first, in_last, in_retailer, in_brand, in_unit, in_from, in_to,
  in_month_from, in_month_to, in_whole_from, in_whole_to, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT listing_id, retailer_id, day AS period, price, 1::INTEGER AS observation_count, in_stock,
       on_promotion(promo_flag, price, list_price) AS promo
FROM observation
WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to
  AND category_id BETWEEN in_first AND in_last
  AND (in_retailer IS NULL OR retailer_id = in_retailer)
  AND (in_brand IS NULL OR brand_id = in_brand)
  AND is_of_type(listing_id, in_country, in_gpc_first, in_gpc_last)
  AND day >= in_from AND day < in_to;

CREATE MACRO days.listing_period(
  in_country, in_first, in_last, in_retailer, in_brand, in_unit, in_from, in_to,
  in_month_from, in_month_to, in_whole_from, in_whole_to, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT listing_id, any_value(retailer_id) AS retailer_id, date_trunc(in_unit, day)::DATE AS period,
       quantile_disc(price, 0.5) AS price, count(*)::INTEGER AS observation_count,
       arg_max_null(in_stock, day) AS in_stock, arg_max(on_promotion(promo_flag, price, list_price), day) AS promo
FROM observation
WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to
  AND month NOT BETWEEN in_whole_from AND in_whole_to
  AND category_id BETWEEN in_first AND in_last
  AND (in_retailer IS NULL OR retailer_id = in_retailer)
  AND (in_brand IS NULL OR brand_id = in_brand)
  AND is_of_type(listing_id, in_country, in_gpc_first, in_gpc_last)
  AND day >= in_from AND day < in_to
GROUP BY listing_id, date_trunc(in_unit, day);

CREATE MACRO months_and_days.listing_period(
  in_country, in_first, in_last, in_retailer, in_brand, in_unit, in_from, in_to,
  in_month_from, in_month_to, in_whole_from, in_whole_to, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
FROM months.listing_period(in_country, in_first, in_last, in_retailer, in_brand, in_unit, in_from, in_to,
  in_month_from, in_month_to, in_whole_from, in_whole_to, in_gpc_first := in_gpc_first, in_gpc_last := in_gpc_last)
UNION ALL
FROM days.listing_period(in_country, in_first, in_last, in_retailer, in_brand, in_unit, in_from, in_to,
  in_month_from, in_month_to, in_whole_from, in_whole_to, in_gpc_first := in_gpc_first, in_gpc_last := in_gpc_last);
