-- Current listings at a moment before the last observation: their newest prices in the days [since, before). argMax leaves out
-- nulls, but not tuples of a null.
SELECT listing.* EXCEPT (price, list_price, promo_flag, in_stock, first_day, last_day, observed_at, scraped_at),
       newest_price AS price, newest_list_price AS list_price, newest_promo_flag AS promo_flag,
       newest_in_stock AS in_stock, newest_first_day AS first_day, newest_last_day AS last_day,
       newest_time AS observed_at, newest_time AS scraped_at
FROM listing JOIN (
  SELECT listing_id AS newest_id, argMax(price, day) AS newest_price,
         argMax(tuple(list_price), day).1 AS newest_list_price, argMax(tuple(promo_flag), day).1 AS newest_promo_flag,
         argMax(tuple(in_stock), day).1 AS newest_in_stock, min(day) AS newest_first_day, max(day) AS newest_last_day
  FROM observation
  WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
    AND month BETWEEN substring({since:String}, 1, 7) AND substring({before:String}, 1, 7)
    AND day >= {since:Date} AND day < {before:Date}
  GROUP BY listing_id
) AS newest ON newest_id = listing.listing_id JOIN (
  SELECT listing_id AS timed_id, max(toDateTime64(day, 6, 'UTC') + toIntervalSecond(observed_second)) AS newest_time
  FROM observation_time
  WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
    AND month BETWEEN substring({since:String}, 1, 7) AND substring({before:String}, 1, 7)
    AND day >= {since:Date} AND day < {before:Date}
  GROUP BY listing_id
) AS timed ON timed_id = listing.listing_id
WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
  AND ({gpc_first:Nullable(Int32)} IS NULL OR gpc_id BETWEEN {gpc_first:Nullable(Int32)} AND {gpc_last:Nullable(Int32)})
