-- The days of a product's listings in the same days.
SELECT listing_id, toString(day) AS date, day >= {from:Date} AND day < {to:Date} AS in_window,
       day >= {since:Date} AND day < {before:Date} AS is_recent, price, in_stock,
       on_promotion(promo_flag, price, list_price) AS promo
FROM observation
WHERE country = {country:String} AND month BETWEEN {month_from:String} AND {month_to:String}
  AND category_id BETWEEN {first:Int32} AND {last:Int32} AND listing_id IN {listing_ids:Array(Int32)}
  AND (in_window OR is_recent)
