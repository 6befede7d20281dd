-- The listing-months of an index with the months in which their listing is priced: month n is bit n of mask, from the 26th on
-- bit n - 25 of late_mask; window_mask has the last 25 months. A price beyond the fence around its listing's median is set aside.
WITH priced AS MATERIALIZED (
  SELECT *, datediff('month', ($whole_from::VARCHAR || '-01')::DATE, period)::INTEGER AS place
  FROM scope_month WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
), linked AS (
  SELECT *, lag(price) OVER own AS before, lag(place) OVER own AS before_place
  FROM priced WINDOW own AS (PARTITION BY listing_id ORDER BY place)
), middle AS (
  SELECT listing_id, quantile_disc(price, 0.5) AS median FROM priced GROUP BY listing_id
), masked AS (
  SELECT listing_id, median, coalesce(sum(1::BIGINT << place) FILTER (plausible(median, price)), 0)::BIGINT AS months
  FROM priced JOIN middle USING (listing_id) GROUP BY listing_id, median
)
SELECT place, (months & 33554431)::INTEGER AS mask, (months >> 25)::INTEGER AS late_mask,
       (months >> $window_from::BIGINT)::INTEGER AS window_mask, place::BIGINT >= $window_from::BIGINT AS is_in_window,
       plausible(median, price) AS is_plausible,
       CASE $contributions_by::VARCHAR WHEN 'brand' THEN brand_id WHEN 'retailer' THEN retailer_id ELSE category_id END AS group_id,
       log_relative(median, price) AS log,
       CASE WHEN before_place = place - 1 AND plausible(median, before) AND plausible(median, price)
            THEN change_bucket(log_relative(before, price)) END AS change_bucket
FROM linked JOIN masked USING (listing_id)
