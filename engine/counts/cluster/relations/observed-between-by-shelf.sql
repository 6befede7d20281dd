-- When a scope was first and last observed in the days [from, to), in seconds since 1970. From the roll-up by shelf.
SELECT min(86400 * toInt64(toInt32(day)) + first_second) AS observed_from,
       max(86400 * toInt64(toInt32(day)) + last_second) AS observed_to, count() AS n
FROM shelf_day
WHERE country = {country:String} AND day >= {from:Date} AND day < {to:Date}
  AND category_id BETWEEN {first:Int32} AND {last:Int32}
  AND ({retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)})
HAVING n > 0
