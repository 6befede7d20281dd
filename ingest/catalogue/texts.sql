-- name: texts
-- in: attribute, previous_reading, $condition_hint out: hashed_text, kept_reading, condition_text, brand_reading, barcode_reading, condition_reading
-- The readings of the previous snapshot that are still valid: those of listings whose texts are unchanged, by their
-- hash. A reading depends only on the texts of its own listing. The first text is the version of what is read.
CREATE TABLE hashed_text AS
SELECT listing_id, hash('2', product_uid, product_name.value, brand.value, gtin.value, mpn.value, model.value,
  is_bundle.value, multipack.value, condition.value, url.value, size_value.value, size_unit.value, pack_count.value)
  AS text_hash
FROM attribute;

CREATE TABLE kept_reading AS
SELECT previous_reading.* FROM previous_reading JOIN hashed_text USING (listing_id, text_hash);

-- The distinct brand texts of all listings, and the distinct barcode and condition texts of those without kept
-- readings. TypeScript reads each once, into the tables created here.
CREATE TABLE brand_reading (
  text VARCHAR, brand_norm VARCHAR, label VARCHAR, is_placeholder_us BOOLEAN, is_placeholder_ca BOOLEAN
);
CREATE TABLE barcode_reading (text VARCHAR, gtin14 VARCHAR, is_anchor BOOLEAN, dropped_codes VARCHAR);
CREATE TABLE condition_reading (field VARCHAR, title VARCHAR, condition VARCHAR);

-- Most titles contain no condition word, and are not read.
CREATE TABLE condition_text AS
WITH listing_text AS (
  SELECT listing_id, condition.value AS field,
    CASE WHEN regexp_matches(product_name.value, getvariable('condition_hint'), 'i') THEN product_name.value END AS title
  FROM attribute ANTI JOIN kept_reading USING (listing_id)
)
SELECT listing_id, field, title FROM listing_text WHERE field IS NOT NULL OR title IS NOT NULL;

SELECT DISTINCT 'brand' AS kind, brand.value AS text, NULL AS title FROM attribute WHERE brand IS NOT NULL
UNION ALL
SELECT DISTINCT 'barcode', gtin.value, NULL
FROM attribute ANTI JOIN kept_reading USING (listing_id) WHERE gtin IS NOT NULL
UNION ALL
SELECT DISTINCT 'condition', field, title FROM condition_text;

-- name: long-titles
-- in: attribute out:
-- Listings with a title of more than 500 characters: often a description, or several columns that were read as one.

SELECT count(*)::INTEGER AS listings,
  arg_min({'platform': platform, 'country': country, 'product_id': product_id}, listing_id) AS first
FROM attribute
WHERE length(product_name.value) > 500;
