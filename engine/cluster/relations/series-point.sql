-- What each price of a series adds to the sums of its period (`PointSums` in series.ts). A link leads from the listing's price
-- in the period before, within the fence.
SELECT retailer_id, base_day, base, median, i = day_count AS is_end, day.1 AS period, day.2 AS price,
       before.1 = transform(period, {periods:Array(Int32)}, {base_periods:Array(Int32)}, -1::Int32) AS is_pair,
       is_pair AND plausible(before.2, price) AS is_linked,
       if(is_linked, log_relative(before.2, price), 0::Int64) AS log, day_count = {period_count:UInt32} AS is_stable,
       [day.3, price, day.4, day.5, toInt64(is_pair), toInt64(is_linked), intDiv(log, 1000000), log % 1000000,
        toInt64(is_stable), if(is_stable, price, 0)] AS sums
FROM series_listing ARRAY JOIN days AS day, befores AS before, arrayEnumerate(days) AS i
