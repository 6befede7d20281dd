-- in: attribute, branded, kept_reading out: title, title_text_reading
-- The distinct titles of listings without readings, each with the other attributes that identify a product, and its
-- listings. TypeScript reads each once, into the table created here.
CREATE TEMP MACRO size_of(in_value, in_unit) AS nullif(concat_ws(' ', in_value, in_unit), '');

CREATE TABLE title AS
WITH listing_title AS (
  SELECT listing_id, product_name.value AS title, label AS brand, mpn.value AS mpn, model.value AS model,
    size_of(size_value.value, size_unit.value) AS size,
    coalesce(multipack.value, pack_count.value) AS pack, coalesce(yes_no(is_bundle.value), false) AS is_bundle
  FROM attribute ANTI JOIN kept_reading USING (listing_id) LEFT JOIN branded USING (listing_id)
  WHERE product_name IS NOT NULL
)
SELECT min(listing_id) AS title_id, list(listing_id) AS listing_ids, title, brand, mpn, model, size, pack, is_bundle
FROM listing_title GROUP BY ALL;

-- Codes are separated by spaces: lists are expensive to append.
CREATE TABLE title_text_reading (title_id INTEGER, brand VARCHAR, part_number VARCHAR, codes VARCHAR, words VARCHAR,
  pack INTEGER, kind VARCHAR, size VARCHAR, contents_milli INTEGER, contents_unit VARCHAR, contents_pack INTEGER,
  sizes_differ BOOLEAN);

SELECT title_id, title, brand, mpn, model, size, pack, is_bundle FROM title;
