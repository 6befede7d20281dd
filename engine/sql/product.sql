-- Listings named by the planner, best first: two lists of numbers as text.
CREATE MACRO asked_listing(in_listings, in_categories) AS TABLE
SELECT listing_id::INTEGER AS listing_id, category_id::INTEGER AS category_id, row_number() OVER ()::INTEGER AS rank
FROM (SELECT unnest(string_split(in_listings, ',')) AS listing_id, unnest(string_split(in_categories, ',')) AS category_id);

-- The listings among them that are in the best one's condition: a used price is no drop of a new one.
CREATE MACRO product_member(in_country, in_listings, in_categories) AS TABLE
WITH described AS MATERIALIZED (
  SELECT listing_id, category_id, product_uid, platform, condition, rank
  FROM asked_listing(in_listings, in_categories)
       JOIN listing USING (category_id, listing_id) JOIN retailer USING (retailer_id)
  WHERE country = in_country
)
SELECT listing_id, category_id, product_uid, platform, condition
FROM described WHERE condition = (SELECT arg_min(condition, rank) FROM described);

-- Their listing-days in a window [in_from, in_to), and in the days [in_since, in_before) in which a price is current.
CREATE MACRO member_day(in_members, in_country, in_month_from, in_month_to, in_from, in_to, in_since, in_before) AS TABLE
SELECT listing_id, product_uid, platform, condition, day, observation.price, observation.list_price,
       observation.promo_flag, observation.in_stock, day >= in_from AND day < in_to AS in_window,
       day = max(day) FILTER (day >= in_since AND day < in_before) OVER () AS is_current
FROM query_table(in_members) JOIN observation USING (category_id, listing_id)
WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to
  AND (day >= in_from AND day < in_to OR day >= in_since AND day < in_before);

-- What a product costs day by day: its lowest member in stock, where none is in stock the lowest.
CREATE MACRO product_day(in_priced) AS TABLE
SELECT day, in_window, coalesce(is_current, false) AS is_current,
       coalesce(min(price) FILTER (in_stock), min(price)) AS price
FROM query_table(in_priced)
WHERE in_window OR is_current
GROUP BY day, in_window, is_current;

-- When its window's first observation and its newest one were made, in seconds since 1970.
CREATE MACRO member_observed(in_members, in_country, in_month_from, in_month_to, in_from, in_to, in_since, in_before) AS TABLE
SELECT min(epoch(day) + observed_second) FILTER (day >= in_from AND day < in_to) AS observed_min,
       max(epoch(day) + observed_second) AS observed_max
FROM query_table(in_members) JOIN observation_time USING (category_id, listing_id)
WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to
  AND (day >= in_from AND day < in_to OR day >= in_since AND day < in_before);
