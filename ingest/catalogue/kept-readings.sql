-- in: attribute, previous_reading out: hashed_text, kept_reading
-- The readings of the previous snapshot that are still valid: those of listings whose texts are unchanged, by their
-- hash. A reading depends only on the texts of its own listing.
CREATE TABLE hashed_text AS
SELECT listing_id, hash(product_uid, product_name.value, brand.value, gtin.value, mpn.value, model.value,
  is_bundle.value, multipack.value, condition.value, url.value, size_value.value, size_unit.value, pack_count.value)
  AS text_hash
FROM attribute;

CREATE TABLE kept_reading AS
SELECT previous_reading.* FROM previous_reading JOIN hashed_text USING (listing_id, text_hash);
