SELECT coalesce(brand_id, 0) AS brand, retailer_id AS retailer, count() AS n,
       [toInt64(count(star_rating)), toInt64(sum(toInt64(coalesce(100 * star_rating, 0)))), toInt64(countIf(is_promoted)),
        toInt64(countIf(in_stock)), toInt64(count(in_stock))] AS sums
FROM current_price
WHERE condition = 'new' AND accessory_depth <= {shelf_depth:Int32}
  AND ({retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)})
  AND price BETWEEN {lowest_price:Int32} AND {highest_price:Int32}
GROUP BY brand, retailer
ORDER BY brand, retailer
