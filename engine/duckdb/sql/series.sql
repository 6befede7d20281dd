-- The non-empty periods of a series, each with the one before it. `in_priced` names a CTE of listing_period.
CREATE MACRO series_period(in_priced) AS TABLE
SELECT period, lag(period) OVER (ORDER BY period) AS base_period
FROM (SELECT DISTINCT period FROM query_table(in_priced));

-- The first and last period of a series and their number, in one row. `in_series` names a CTE of series_period.
CREATE MACRO series_span(in_series) AS TABLE
SELECT min(period) AS first_period, max(period) AS last_period, count(*) AS period_count FROM query_table(in_series);

-- The listings of a series; stable are those priced in every period.
CREATE MACRO series_listing(in_priced, in_series) AS TABLE
SELECT listing_id, count(*) = any_value(period_count) AS is_stable
FROM query_table(in_priced), series_span(in_series) GROUP BY listing_id;

-- The points of a series: the listing-period prices of each non-empty period, the pairs within the fence that link it to the
-- previous period, and its stable basket. `in_listings` names a CTE with the columns of series_listing.
CREATE MACRO series_point(in_priced, in_series, in_listings) AS TABLE
WITH base AS (
  SELECT listing_id, series.period, price
  FROM query_table(in_priced) AS priced JOIN query_table(in_series) AS series ON series.base_period = priced.period
), linked AS (
  SELECT priced.*, is_stable, base.price AS base_price,
         CASE WHEN plausible(base.price, priced.price) THEN log_relative(base.price, priced.price) END AS log
  FROM query_table(in_priced) AS priced JOIN query_table(in_listings) USING (listing_id)
       LEFT JOIN base USING (listing_id, period)
)
SELECT strftime(period, '%Y-%m-%d') AS date, period, count(*)::INTEGER AS product_count,
       sum(observation_count)::INTEGER AS observation_count, sum(price)::DOUBLE AS price_sum, min(price) AS min_price,
       max(price) AS max_price, quantile_cont(price, 0.5) AS median_price,
       count(*) FILTER (in_stock)::INTEGER AS in_stock_count, count(*) FILTER (promo)::INTEGER AS promo_count,
       count(base_price)::INTEGER AS pair_count, count(log)::INTEGER AS matched_basket_size, sum(log) AS log_sum,
       count(*) FILTER (is_stable)::INTEGER AS stable_count, sum(price) FILTER (is_stable)::DOUBLE AS stable_sum
FROM linked GROUP BY period;
