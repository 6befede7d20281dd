-- Kinds: 0, listings by price, of the brand or not; 1, those of other brands, by brand and price; 2, those of the brand, by
-- retailer.
SELECT kind, multiIf(kind = 0, is_own, kind = 1, coalesce(brand_id, 0), retailer_id) AS id,
       if(kind = 2, 0, price) AS value, count() AS n, if(kind = 2, [toInt64(sum(assumeNotNull(price)))], []) AS sums,
       min(observed_second) AS observed_from, max(observed_second) AS observed_to
FROM (
  SELECT *, coalesce(brand_id = {brand_id:Int32}, false) AS is_own,
         arrayConcat([0], if(is_own, [2], []), if(NOT is_own AND brand_id IS NOT NULL, [1], [])) AS kinds
  FROM current_price
  WHERE ({retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)})
    AND ({in_category:Bool} OR brand_id = {brand_id:Int32})
) ARRAY JOIN kinds AS kind
GROUP BY kind, id, value
ORDER BY kind, id, value
