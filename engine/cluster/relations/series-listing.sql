-- The listings of a series with their prices in order: the period in days since 1970, price, observations, in stock,
-- promoted.
SELECT listing_id, retailer_id, arraySort(groupArray(tuple(
         toInt32(period), toInt64(price), toInt64(observation_count), toInt64(coalesce(in_stock, false)),
         toInt64(coalesce(promo, false))))) AS days
FROM listing_period
WHERE {retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)}
GROUP BY listing_id, retailer_id
