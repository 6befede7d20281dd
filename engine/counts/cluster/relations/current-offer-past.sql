-- Current listings at a moment before the last observation, with what the prices of the year to the newest say of it.
-- What listed_price has is of the last observation.
WITH posted AS (
  SELECT listing_id AS posted_id, day, price AS posted_price, in_stock FROM observation
  WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
    AND listing_id BETWEEN {first_listing:Int32} AND {last_listing:Int32}
    AND month BETWEEN formatDateTime({since:Date} - 365, '%Y-%m') AND substring({before:String}, 1, 7)
    AND day >= {since:Date} - 365 AND day < {before:Date}
), last_posted AS (
  SELECT posted_id, max(day) AS posted_day, argMax(posted_price, day) AS last_price FROM posted GROUP BY posted_id
), lowness AS (
  SELECT posted_id, toInt32(count()) AS days, toInt32(countIf(posted_price < last_price)) AS lower,
         maxOrNullIf(day, posted_price < last_price) AS last_lower,
         argMaxOrNullIf(posted_price, day, posted_price <> last_price) AS other_price
  FROM posted JOIN last_posted USING (posted_id)
  WHERE coalesce(in_stock, true) AND day >= posted_day - 365
  GROUP BY posted_id
)
SELECT listed_price.* REPLACE (
  coalesce(days, 0) AS observed_days, coalesce(lower, 0) AS lower_days, toString(last_lower) AS last_lower_day,
  other_price AS previous_price)
FROM listed_price LEFT JOIN lowness ON posted_id = listed_price.listing_id
