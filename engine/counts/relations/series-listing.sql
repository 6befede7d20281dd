-- The listings of a series: their price in its first and last of several periods; stable are those priced in every period.
SELECT listing_id, any_value(category_id) AS category_id, any_value(brand_id) AS brand_id, count(*) = any_value(last_place) AS is_stable,
       max(price) AS highest,
       max(price) FILTER (place = 1 AND last_place > 1) AS base,
       max(price) FILTER (place = last_place AND last_place > 1) AS last_price
FROM series_placed GROUP BY listing_id
