-- What every listing may be asked for by.
SELECT listing_id, final_listing.product_name, final_listing.product_uid, entity_uid, final_listing.product_id, gtin14,
  final_listing.url,
  concat_ws(' ', attribute.brand.value, attribute.model.value, attribute.mpn.value,
    attribute.size_value.value || ' ' || attribute.size_unit.value,
    if(attribute.pack_count.value = '1', NULL, attribute.pack_count.value || ' pack')) AS others
FROM final_listing JOIN attribute USING (listing_id);
