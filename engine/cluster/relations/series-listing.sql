-- The listings of a series with their prices in order: the period in days since 1970, price, observations, in stock,
-- promoted; `befores` has the price before each.
SELECT retailer_id, arraySort(groupArray(tuple(
         toInt32(period), toInt64(price), toInt64(observation_count), toInt64(coalesce(in_stock, false)),
         toInt64(coalesce(promo, false))))) AS days,
       arrayPushFront(arrayPopBack(days), tuple(-2::Int32, 0::Int64, 0::Int64, 0::Int64, 0::Int64)) AS befores,
       days[1].1 AS base_day, days[1].2 AS base, length(days) AS day_count, quantileExactLow(0.5)(price) AS median
FROM listing_period
WHERE {retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)}
GROUP BY listing_id, retailer_id
