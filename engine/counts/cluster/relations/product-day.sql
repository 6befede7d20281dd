-- The days of a product's listings in the days [seen_from, to) whose prices stand in a window, and in the days
-- [since, before) whose prices stand now.
WITH timed AS (
  SELECT listing_id, day, observed_second AS second FROM observation_time
  WHERE country = {country:String} AND month BETWEEN {month_from:String} AND {month_to:String}
    AND category_id BETWEEN {first:Int32} AND {last:Int32}
    AND listing_id IN arrayMap(id -> toInt32(id), splitByChar(',', {listing_ids:String}))
    AND (day >= {seen_from:Date} AND day < {to:Date} OR day >= {since:Date} AND day < {before:Date})
), priced AS (
  SELECT listing_id, day, price, list_price, promo_flag, in_stock FROM observation
  WHERE country = {country:String} AND month BETWEEN {month_from:String} AND {month_to:String}
    AND category_id BETWEEN {first:Int32} AND {last:Int32}
    AND listing_id IN arrayMap(id -> toInt32(id), splitByChar(',', {listing_ids:String}))
    AND (day >= {seen_from:Date} AND day < {to:Date} OR day >= {since:Date} AND day < {before:Date})
)
SELECT listing_id, toString(priced.day) AS day, price, list_price, promo_flag, in_stock,
       on_promotion(promo_flag, price, list_price) AS is_promoted,
       86400 * toInt64(toInt32(priced.day)) + second AS observed_second
FROM priced JOIN timed USING (listing_id, day)
