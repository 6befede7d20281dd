SELECT price, condition = 'new' AS is_new, accessory_depth > {shelf_depth:Int32} AS is_accessory,
       coalesce(retailer_id = {retailer_id:Nullable(Int32)}, true) AS is_in_scope, count() AS n,
       min(observed_second) AS observed_from, max(observed_second) AS observed_to
FROM current_price
GROUP BY price, is_new, is_accessory, is_in_scope
ORDER BY price, is_new, is_accessory, is_in_scope
