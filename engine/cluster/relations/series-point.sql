-- What each price of a series adds to the sums of its period (`POINT` in series.ts). A link leads from the listing's price in
-- the period before, within the fence.
SELECT retailer_id, days, i, days[i].1 AS period, days[i].2 AS price,
       i > 1 AND days[i - 1].1 = transform(period, {periods:Array(Int32)}, {base_periods:Array(Int32)}, -1::Int32) AS is_pair,
       is_pair AND plausible(days[i - 1].2, price) AS is_linked,
       if(is_linked, log_relative(days[i - 1].2, price), 0::Int64) AS log,
       length(days) = {period_count:UInt32} AS is_stable,
       [days[i].3, price, days[i].4, days[i].5, toInt64(is_pair), toInt64(is_linked), intDiv(log, 1000000), log % 1000000,
        toInt64(is_stable), if(is_stable, price, 0)] AS sums
FROM series_listing ARRAY JOIN arrayEnumerate(days) AS i
