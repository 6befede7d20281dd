-- Current listings at a moment after every observation: the listings have the newest prices.
SELECT * FROM listing
WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
  AND ({gpc_first:Nullable(Int32)} IS NULL OR gpc_id BETWEEN {gpc_first:Nullable(Int32)} AND {gpc_last:Nullable(Int32)})
  AND last_day >= {since:Date} AND last_day < {before:Date}
