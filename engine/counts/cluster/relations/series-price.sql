-- The listing-period prices of a series with their links; `base_periods` are those before each of `periods`.
SELECT retailer_id, day.1 AS period, day.2 AS price, day.3 AS observation_count, day.4 AS is_in_stock, day.5 AS is_promoted,
       day.6 AS is_stock_known,
       length(days) = length({periods:Array(Int32)}) AS is_stable,
       if(previous.1 = transform(period, {periods:Array(Int32)}, {base_periods:Array(Int32)}, -1::Int32), previous.2, NULL) AS before,
       if(has_base, days[1].2, NULL) AS base,
       if(plausible(before, price), log_relative(before, price), NULL) AS log
FROM series_listing ARRAY JOIN days AS day, befores AS previous
