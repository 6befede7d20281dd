-- The listing-period prices of a series with their links. `periods` are the non-empty ones of all shards, `base_periods` those
-- before each; `days` has the period in days since 1970, price, observations, stock and promotion, `befores` the price before.
WITH series_listing AS (
  SELECT retailer_id, arraySort(groupArray(tuple(
           toInt32(period), toInt64(price), toInt64(observation_count), coalesce(in_stock, false), coalesce(promo, false)))) AS days,
         arrayPushFront(arrayPopBack(days), tuple(-2::Int32, 0::Int64, 0::Int64, false, false)) AS befores,
         quantileExactLow(0.5)(price) AS median, length({periods:Array(Int32)}) > 1 AS is_series,
         {periods:Array(Int32)}[1] AS first_period, {periods:Array(Int32)}[-1] AS last_period
  FROM listing_period
  WHERE {retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)}
  GROUP BY listing_id, retailer_id
)
SELECT retailer_id, day.1 AS period, day.2 AS price, day.3 AS observation_count, day.4 AS is_in_stock, day.5 AS is_promoted,
       length(days) = length({periods:Array(Int32)}) AS is_stable, period = first_period AS is_first,
       period = last_period AS is_last,
       is_series AND days[-1].1 = last_period AND on_clearance(days[-1].2, median) AS is_cleared,
       if(previous.1 = transform(period, {periods:Array(Int32)}, {base_periods:Array(Int32)}, -1::Int32), previous.2, NULL) AS before,
       if(is_series AND days[1].1 = first_period, days[1].2, NULL) AS base,
       if(plausible(before, price), log_relative(before, price), NULL) AS log,
       if(plausible(base, price), log_relative(base, price), NULL) AS log_from_base
FROM series_listing ARRAY JOIN days AS day, befores AS previous
