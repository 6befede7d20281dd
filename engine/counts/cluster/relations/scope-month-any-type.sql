-- The listing-months of a scope in the full months of its window, of all retailers; none if whole_from > whole_to.
SELECT * FROM listing_month
WHERE country = {country:String} AND year BETWEEN left({whole_from:String}, 4) AND left({whole_to:String}, 4)
  AND period BETWEEN toDate(concat({whole_from:String}, '-01')) AND toDate(concat({whole_to:String}, '-01'))
  AND category_id BETWEEN {first:Int32} AND {last:Int32}
  AND ({brand_id:Nullable(Int32)} IS NULL OR brand_id = {brand_id:Nullable(Int32)})
