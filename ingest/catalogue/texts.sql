-- in: attribute, kept_reading, $condition_hint out: condition_text, brand_reading, barcode_reading, condition_reading
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
