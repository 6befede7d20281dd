-- The observations of a scope in the days [from, to), of all retailers.
SELECT * FROM observation
WHERE country = {country:String} AND month BETWEEN {month_from:String} AND {month_to:String}
  AND category_id BETWEEN {first:Int32} AND {last:Int32}
  AND ({brand_id:Nullable(Int32)} IS NULL OR brand_id = {brand_id:Nullable(Int32)})
  AND day >= {from:Date} AND day < {to:Date}
