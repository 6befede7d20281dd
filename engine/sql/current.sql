-- Current listings: the latest observation in the days [in_since, in_before). After every observation the listings hold
-- it; at a moment before the last one it is found among the observations. A scope is an interval of categories and, for
-- a GPC code, one of product types too.
CREATE MACRO latest.current_listing(
  in_country, in_first, in_last, in_since, in_before, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT * FROM listing
WHERE country = in_country AND category_id BETWEEN in_first AND in_last
  AND (in_gpc_first IS NULL OR gpc_id BETWEEN in_gpc_first AND in_gpc_last)
  AND last_day >= in_since AND last_day < in_before;

CREATE MACRO past.current_listing(
  in_country, in_first, in_last, in_since, in_before, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
WITH newest AS (
  SELECT listing_id, arg_max(price, day) AS price, arg_max_null(list_price, day) AS list_price,
         arg_max_null(promo_flag, day) AS promo_flag, arg_max_null(in_stock, day) AS in_stock,
         min(day) AS first_day, max(day) AS last_day
  FROM observation
  WHERE country = in_country AND category_id BETWEEN in_first AND in_last
    AND month BETWEEN strftime(in_since, '%Y-%m') AND strftime(in_before, '%Y-%m')
    AND day >= in_since AND day < in_before
  GROUP BY listing_id
), newest_time AS (
  SELECT listing_id, max(day + to_seconds(observed_second)) AS observed_at
  FROM observation_time
  WHERE country = in_country AND category_id BETWEEN in_first AND in_last
    AND month BETWEEN strftime(in_since, '%Y-%m') AND strftime(in_before, '%Y-%m')
    AND day >= in_since AND day < in_before
  GROUP BY listing_id
)
SELECT listing.* REPLACE (
  newest.price AS price, newest.list_price AS list_price, newest.promo_flag AS promo_flag,
  newest.in_stock AS in_stock, newest.first_day AS first_day, newest.last_day AS last_day,
  newest_time.observed_at AS observed_at, newest_time.observed_at AS scraped_at)
FROM listing JOIN newest USING (listing_id) JOIN newest_time USING (listing_id)
WHERE country = in_country AND category_id BETWEEN in_first AND in_last
  AND (in_gpc_first IS NULL OR gpc_id BETWEEN in_gpc_first AND in_gpc_last);
