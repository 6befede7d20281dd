-- When a scope was first and last observed in the days [from, to), in seconds since 1970. For a brand or product type, from
-- the times of its listings.
SELECT min(86400 * toInt64(toInt32(day)) + observed_second) AS observed_from,
       max(86400 * toInt64(toInt32(day)) + observed_second) AS observed_to, count() AS n
FROM observation_time
WHERE country = {country:String} AND month BETWEEN {month_from:String} AND {month_to:String}
  AND day >= {from:Date} AND day < {to:Date}
  AND category_id BETWEEN {first:Int32} AND {last:Int32}
  AND listing_id IN (
    SELECT listing_id FROM listing
    WHERE country = {country:String}
      AND ({retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)})
      AND ({brand_id:Nullable(Int32)} IS NULL OR brand_id = {brand_id:Nullable(Int32)})
      AND ({gpc_first:Nullable(Int32)} IS NULL OR gpc_id BETWEEN {gpc_first:Nullable(Int32)} AND {gpc_last:Nullable(Int32)}))
HAVING n > 0
