-- The deals of the queried brand or of none; a deeper discount more likely means a wrong list price.
SELECT *, discount * log(price / ({min_price:Int32} / 5)) AS score
FROM listed_price
WHERE in_stock AND price >= {min_price:Int32}
  AND toFloat64(100 * (toInt64(list_price) - price)) >= {min_discount_pct:Float64} * list_price
  AND 10 * (toInt64(list_price) - price) <= 7 * toInt64(list_price)
  AND ({brand_id:Nullable(Int32)} IS NULL OR brand_id IS NULL OR brand_id = {brand_id:Nullable(Int32)})
  AND ({retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)})
