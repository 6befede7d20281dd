SELECT listing_id, product_name.value AS title, label AS brand, mpn.value AS mpn, model.value AS model,
  nullif(concat_ws(' ', size_value.value, size_unit.value), '') AS size, coalesce(multipack.value, pack_count.value) AS pack,
  coalesce(yes_no(is_bundle.value), false) AS is_bundle
FROM attribute LEFT JOIN branded USING (listing_id)
WHERE product_name IS NOT NULL;
