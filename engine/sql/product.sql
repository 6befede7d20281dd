-- Listings in memory by their rows, numbers that the planner binds as one text; the first of it ranked first.
CREATE MACRO known_by_row(in_rows) AS TABLE
SELECT *, list_position(string_split(in_rows, ','), rowid::VARCHAR)::INTEGER AS rank
FROM known_listing
WHERE rowid IN (SELECT number::BIGINT FROM (SELECT unnest(string_split(in_rows, ',')) AS number));

-- The listings among them that are in the best one's condition: a used price is no drop of a new one.
CREATE MACRO product_member(in_rows) AS TABLE
WITH known AS MATERIALIZED (
  SELECT listing_id, product_uid, platform, condition, rank
  FROM known_by_row(in_rows) JOIN retailer USING (retailer_id)
)
SELECT listing_id, product_uid, platform, condition
FROM known WHERE condition = (SELECT arg_min(condition, rank) FROM known);

-- Current prices of listings in memory, in the two schemas of schema.sql.
CREATE MACRO latest.current_known(in_rows, in_country, in_first, in_last, in_since, in_before) AS TABLE
SELECT * FROM known_by_row(in_rows)
WHERE country = in_country AND category_id BETWEEN in_first AND in_last AND last_day >= in_since AND last_day < in_before;

CREATE MACRO past.current_known(in_rows, in_country, in_first, in_last, in_since, in_before) AS TABLE
SELECT known.* REPLACE (
  past_price.price AS price, past_price.list_price AS list_price, past_price.promo_flag AS promo_flag,
  past_price.in_stock AS in_stock, past_price.observed_at AS observed_at, past_price.scraped_at AS scraped_at,
  past_price.last_day AS last_day)
FROM known_by_row(in_rows) AS known
     JOIN past.current_listing(in_country, in_first, in_last, in_since, in_before) AS past_price USING (listing_id);

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
