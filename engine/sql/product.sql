-- The days of a product's listings in a window [in_from, in_to), and in the days [in_since, in_before) in which a price is
-- current; beside each when the first in the window and the last of all were observed, in seconds since 1970. The bounds of
-- categories and listings leave row groups without any of them unread.
CREATE MACRO product_day(
  in_listing_ids, in_country, in_first, in_last, in_first_listing, in_last_listing,
  in_month_from, in_month_to, in_from, in_to, in_since, in_before
) AS TABLE
WITH member AS MATERIALIZED (
  SELECT unnest(string_split(in_listing_ids, ','))::INTEGER AS listing_id
), observed AS (
  SELECT min(epoch(day) + observed_second) FILTER (day >= in_from AND day < in_to) AS observed_min,
         max(epoch(day) + observed_second) AS observed_max
  FROM observation_time
  WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to
    AND category_id BETWEEN in_first AND in_last AND listing_id BETWEEN in_first_listing AND in_last_listing
    AND listing_id IN (SELECT listing_id FROM member)
    AND (day >= in_from AND day < in_to OR day >= in_since AND day < in_before)
)
SELECT listing_id, strftime(day, '%Y-%m-%d') AS day, day >= in_from AND day < in_to AS in_window,
       day >= in_since AND day < in_before AS is_recent, price, in_stock,
       on_promotion(promo_flag, price, list_price) AS promo, observed_min, observed_max
FROM observation, observed
WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to
  AND category_id BETWEEN in_first AND in_last AND listing_id BETWEEN in_first_listing AND in_last_listing
  AND listing_id IN (SELECT listing_id FROM member)
  AND (day >= in_from AND day < in_to OR day >= in_since AND day < in_before);
