-- A product's listings, from the text that a question binds.
CREATE MACRO product_member(in_members) AS TABLE
SELECT unnest(from_json(in_members,
  '[{"listing_id": "INTEGER", "product_uid": "VARCHAR", "platform": "VARCHAR", "condition": "VARCHAR"}]'), recursive := true);

-- The members' listing-days in a window [in_from, in_to), and in the days [in_since, in_before) in which a price is
-- current; is_current marks the newest of these. `in_members` names a CTE of product_member. The bounds of categories and
-- listings leave row groups without any of them unread.
CREATE MACRO member_day(
  in_members, in_country, in_first, in_last, in_first_listing, in_last_listing,
  in_month_from, in_month_to, in_from, in_to, in_since, in_before
) AS TABLE
SELECT listing_id, product_uid, platform, condition, day, price, list_price, promo_flag, in_stock,
       day >= in_from AND day < in_to AS in_window,
       day = max(day) FILTER (day >= in_since AND day < in_before) OVER () AS is_current
FROM observation JOIN query_table(in_members) USING (listing_id)
WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to
  AND category_id BETWEEN in_first AND in_last AND listing_id BETWEEN in_first_listing AND in_last_listing
  AND (day >= in_from AND day < in_to OR day >= in_since AND day < in_before);

-- When the first of them in the window and the last of them all were observed, in seconds since 1970.
CREATE MACRO member_observed(
  in_members, in_country, in_first, in_last, in_first_listing, in_last_listing,
  in_month_from, in_month_to, in_from, in_to, in_since, in_before
) AS TABLE
SELECT min(epoch(day) + observed_second) FILTER (day >= in_from AND day < in_to) AS observed_min,
       max(epoch(day) + observed_second) AS observed_max
FROM observation_time JOIN query_table(in_members) USING (listing_id)
WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to
  AND category_id BETWEEN in_first AND in_last AND listing_id BETWEEN in_first_listing AND in_last_listing
  AND (day >= in_from AND day < in_to OR day >= in_since AND day < in_before);

-- What a product costs day by day: its lowest member in stock, where none is in stock the lowest.
CREATE MACRO product_day(in_priced) AS TABLE
SELECT day, in_window, coalesce(is_current, false) AS is_current,
       coalesce(min(price) FILTER (in_stock), min(price)) AS price
FROM query_table(in_priced)
WHERE in_window OR is_current
GROUP BY day, in_window, is_current;
