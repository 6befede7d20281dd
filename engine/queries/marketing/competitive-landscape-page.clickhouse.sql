SELECT listing_id, product_uid, toFloat64(multiIf({sort:String} = 'price', price, {sort:String} = '-price', -price,
         {sort:String} = 'discount', -greatest(0, coalesce((list_price - price) / list_price, 0)),
         -coalesce(review_count, 0))) AS sort_key
FROM current_price
WHERE {retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)}
ORDER BY sort_key, product_uid
LIMIT {last_place:UInt32}
