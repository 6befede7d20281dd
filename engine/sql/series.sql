-- The listing-period prices of a scope and window: the discrete median of a listing's days, always a posted price
-- (Cavallo 2018: averaging and imputing create spurious small changes). Whole months come from their roll-up, days of
-- cut months and other periods from the observations; in_whole_from > in_whole_to where there is no whole month. A listing
-- has one observation a day, for which the planner leaves the dear aggregates out.
CREATE MACRO listing_period(
  in_country, in_first, in_last, in_retailer, in_brand, in_unit, in_from, in_to,
  in_month_from, in_month_to, in_whole_from, in_whole_to, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT listing_id, retailer_id, period, price, observation_count, in_stock, promo
FROM listing_month
WHERE country = in_country AND month BETWEEN in_whole_from AND in_whole_to
  AND category_id BETWEEN in_first AND in_last
  AND (in_retailer IS NULL OR retailer_id = in_retailer)
  AND (in_brand IS NULL OR brand_id = in_brand)
  AND (in_gpc_first IS NULL OR listing_id IN (FROM listing_of_type(in_country, in_gpc_first, in_gpc_last)))
UNION ALL
SELECT listing_id, any_value(retailer_id), date_trunc(in_unit, day)::DATE,
       CASE WHEN in_unit = 'day' THEN any_value(price) ELSE quantile_disc(price, 0.5) END,
       count(*)::INTEGER,
       CASE WHEN in_unit = 'day' THEN any_value(in_stock) ELSE arg_max_null(in_stock, day) END,
       CASE WHEN in_unit = 'day' THEN any_value(on_promotion(promo_flag, price, list_price))
            ELSE arg_max(on_promotion(promo_flag, price, list_price), day) END
FROM observation
WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to
  AND month NOT BETWEEN in_whole_from AND in_whole_to
  AND category_id BETWEEN in_first AND in_last
  AND (in_retailer IS NULL OR retailer_id = in_retailer)
  AND (in_brand IS NULL OR brand_id = in_brand)
  AND (in_gpc_first IS NULL OR listing_id IN (FROM listing_of_type(in_country, in_gpc_first, in_gpc_last)))
  AND day >= in_from AND day < in_to
GROUP BY listing_id, date_trunc(in_unit, day);

-- The points of a series: the listing-period prices of each non-empty period, the fenced pairs that link it to the period
-- before, and the stable basket, that is the listings priced in every period. `in_priced` names a CTE of listing_period.
CREATE MACRO series_point(in_priced) AS TABLE
WITH series_period AS MATERIALIZED (
  SELECT period, lag(period) OVER (ORDER BY period) AS base_period FROM (SELECT DISTINCT period FROM query_table(in_priced))
), stable_listing AS (
  SELECT listing_id FROM query_table(in_priced) GROUP BY listing_id HAVING count(*) = (SELECT count(*) FROM series_period)
), stable_point AS (
  SELECT period, count(*)::INTEGER AS stable_count, sum(price)::DOUBLE AS stable_sum
  FROM query_table(in_priced) SEMI JOIN stable_listing USING (listing_id) GROUP BY period
), link AS (
  SELECT this.period, count(*) FILTER (plausible(base.price, this.price))::INTEGER AS matched_basket_size,
         sum(log_relative(base.price, this.price)) FILTER (plausible(base.price, this.price))::DOUBLE AS log_sum
  FROM query_table(in_priced) AS this JOIN series_period USING (period)
  JOIN query_table(in_priced) AS base ON base.listing_id = this.listing_id AND base.period = series_period.base_period
  GROUP BY this.period
), summed AS (
  SELECT period, count(*)::INTEGER AS product_count, sum(observation_count)::INTEGER AS observation_count,
         sum(price)::DOUBLE AS price_sum, min(price) AS min_price, max(price) AS max_price,
         quantile_cont(price, 0.5) AS median_price, count(*) FILTER (in_stock)::INTEGER AS in_stock_count,
         count(*) FILTER (promo)::INTEGER AS promo_count
  FROM query_table(in_priced) GROUP BY period
)
SELECT period, strftime(period, '%Y-%m-%d') AS date, summed.* EXCLUDE (period),
       matched_basket_size, log_sum, stable_count, stable_sum
FROM summed LEFT JOIN link USING (period) LEFT JOIN stable_point USING (period);
