-- Kinds (series.ts): the sums of a period, its prices, the pairs of the last period and the first, the relatives of each
-- period between them to the first, and the sums of the first and last prices. A listing's last price has its pair.
WITH point AS (
  SELECT retailer_id, period, price, sums, base, median,
         {first_period:Int32} < {last_period:Int32} AND base_day = {first_period:Int32} AS has_base,
         {first_period:Int32} < {last_period:Int32} AND is_end AND period = {last_period:Int32} AS has_last,
         has_base AND has_last AND plausible(base, price) AS is_matched,
         has_base AND period > {first_period:Int32} AND period < {last_period:Int32} AND plausible(base, price) AS is_relative,
         arrayConcat([0, 1], if(is_matched, [2], []), if(is_relative, [3], []), if(is_end, [4], [])) AS kinds
  FROM series_point
)
SELECT kind, if(kind IN (0, 1, 3), period, 0) AS of_period, if(kind = 2, retailer_id, 0) AS retailer,
       kind = 2 AND on_clearance(price, median) AS is_cleared,
       multiIf(kind = 1, price, kind IN (2, 3), log_relative(base, price), 0) AS value, count() AS n,
       sumForEach(multiIf(kind = 0, sums, kind = 4, [
         toInt64(has_base), if(has_base, base, 0), toInt64(has_last), if(has_last, price, 0), toInt64(has_base AND has_last),
         if(has_base AND has_last, base, 0), if(has_base AND has_last, price, 0)], [])) AS sums
FROM point ARRAY JOIN kinds AS kind
GROUP BY kind, of_period, retailer, is_cleared, value
ORDER BY kind, of_period, retailer, is_cleared, value
