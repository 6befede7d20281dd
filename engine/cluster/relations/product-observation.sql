-- The times of a product's listings in a window [from, to), and in the days [since, before) in which a price is current.
SELECT day >= {from:Date} AND day < {to:Date} AS is_in_window, 86400 * toInt64(toInt32(day)) + observed_second AS second
FROM observation_time
WHERE country = {country:String} AND month BETWEEN {month_from:String} AND {month_to:String}
  AND category_id BETWEEN {first:Int32} AND {last:Int32} AND listing_id IN {listing_ids:Array(Int32)}
  AND (is_in_window OR day >= {since:Date} AND day < {before:Date})
