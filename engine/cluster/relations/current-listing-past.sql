-- Current listings at a moment before the last observation: their newest prices in the days [since, before). Of a null,
-- argMax would take the value before; of a tuple it does not.
SELECT listing.* EXCEPT (price, list_price, promo_flag, in_stock, first_day, last_day, observed_at, scraped_at),
       newest.price AS price, newest.list_price AS list_price, newest.promo_flag AS promo_flag,
       newest.in_stock AS in_stock, newest.first_day AS first_day, newest.last_day AS last_day,
       newest_time.observed_at AS observed_at, newest_time.observed_at AS scraped_at
FROM listing JOIN (
  SELECT listing_id, argMax(observation.price, day) AS price, argMax(tuple(observation.list_price), day).1 AS list_price,
         argMax(tuple(observation.promo_flag), day).1 AS promo_flag, argMax(tuple(observation.in_stock), day).1 AS in_stock,
         min(day) AS first_day, max(day) AS last_day
  FROM observation
  WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
    AND month BETWEEN substring(toString({since:Date}), 1, 7) AND substring(toString({before:Date}), 1, 7)
    AND day >= {since:Date} AND day < {before:Date}
  GROUP BY listing_id
) AS newest ON newest.listing_id = listing.listing_id JOIN (
  SELECT listing_id, max(toDateTime64(day, 6, 'UTC') + toIntervalSecond(observed_second)) AS observed_at
  FROM observation_time
  WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
    AND month BETWEEN substring(toString({since:Date}), 1, 7) AND substring(toString({before:Date}), 1, 7)
    AND day >= {since:Date} AND day < {before:Date}
  GROUP BY listing_id
) AS newest_time ON newest_time.listing_id = listing.listing_id
WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
  AND ({gpc_first:Nullable(Int32)} IS NULL OR gpc_id BETWEEN {gpc_first:Nullable(Int32)} AND {gpc_last:Nullable(Int32)})
