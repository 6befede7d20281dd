-- The listings of a series. `periods` are the non-empty ones of all shards; `days` has the period in days since 1970, price,
-- observations, stock, promotion and whether the stock is known, `befores` the same before each.
SELECT retailer_id, any(listing_period.category_id) AS category_id, any(listing_period.brand_id) AS brand_id,
       arraySort(groupArray(tuple(
         toInt32(period), toInt64(price), toInt64(observation_count), coalesce(in_stock, false), coalesce(promo, false),
         toBool(in_stock IS NOT NULL)))) AS days,
       arrayPushFront(arrayPopBack(days), tuple(-2::Int32, 0::Int64, 0::Int64, false, false, false)) AS befores,
       quantileExactLow(0.5)(price) AS median, {periods:Array(Int32)}[1] AS first_period, {periods:Array(Int32)}[-1] AS last_period,
       first_period < last_period AND days[1].1 = first_period AS has_base
FROM listing_period
WHERE {retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)}
GROUP BY listing_id, retailer_id
