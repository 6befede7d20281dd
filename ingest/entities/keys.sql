-- in: listing, listing_key, current_price, title, title_text_reading, kept_reading out: suspect_barcode, offer, title_reading, title_key
-- The identifiers of a listing's product: its barcode, unless that is shared by several products, and the keys of its
-- title.

-- Barcodes with three or more brands, or whose maximum price in one country and condition is more than ten times the
-- minimum.
CREATE TABLE suspect_barcode AS
WITH spread AS (
  SELECT gtin14, max(price) > 10 * min(price)::BIGINT AS is_wide
  FROM listing JOIN current_price USING (listing_id) WHERE is_anchor
  GROUP BY gtin14, country, condition
),
wide AS (
  SELECT DISTINCT gtin14 FROM spread WHERE is_wide
),
branded_barcode AS (
  SELECT gtin14, count(DISTINCT brand_id) AS brands FROM listing WHERE is_anchor GROUP BY gtin14
)
SELECT gtin14, CASE WHEN brands >= 3 THEN 'brands' ELSE 'price_ratio' END AS reason
FROM branded_barcode LEFT JOIN wide USING (gtin14)
WHERE brands >= 3 OR wide.gtin14 IS NOT NULL;

-- Every listing as the offer of a shop, which is a retailer in a country.
CREATE TABLE offer AS
SELECT listing_id, product_uid, country, condition, price, retailer_id || ' ' || country AS shop,
  CASE WHEN is_anchor AND suspect_barcode.gtin14 IS NULL THEN listing.gtin14 END AS barcode
FROM listing
JOIN (SELECT listing_id, product_uid FROM listing_key) USING (listing_id)
LEFT JOIN current_price USING (listing_id)
LEFT JOIN suspect_barcode USING (gtin14);

-- The reading of each listing's title.
CREATE TABLE title_reading AS
SELECT listing_id, brand, part_number, codes, words, pack, kind, size, contents_milli, contents_unit, contents_pack,
  sizes_differ
FROM (SELECT unnest(listing_ids) AS listing_id, title_id FROM title) JOIN title_text_reading USING (title_id)
UNION ALL
SELECT listing_id, title_brand, part_number, codes, title_words, pack, kind, size, contents_milli, contents_unit,
  contents_pack, sizes_differ
FROM kept_reading WHERE kind IS NOT NULL;

-- Titles match by part number and pack count, then by model code, pack count and kind, then by all words; each together
-- with the brand and the condition, since a used product is a different product.
CREATE TABLE title_key AS
WITH part AS (
  SELECT listing_id, 0 AS rank, part_number AS text, pack::VARCHAR AS kind FROM title_reading WHERE part_number IS NOT NULL
  UNION ALL
  SELECT listing_id, 1, unnest(string_split(coalesce(part_number, codes), ' ')), kind FROM title_reading
  UNION ALL
  SELECT listing_id, 2, words, kind FROM title_reading WHERE words IS NOT NULL
),
keyed AS (
  SELECT listing_id, part_number, rank, md5(concat_ws('|', rank, brand, text, part.kind, condition)) AS key, size
  FROM part JOIN title_reading USING (listing_id) JOIN offer USING (listing_id)
  WHERE brand IS NOT NULL
),
-- A key whose listings have several sizes names several products, none of which a listing without a size belongs to.
divided AS (
  SELECT key FROM keyed GROUP BY key HAVING min(size) <> max(size)
)
SELECT listing_id, part_number, rank, CASE WHEN divided.key IS NULL THEN key ELSE concat_ws('|', key, size) END AS key
FROM keyed LEFT JOIN divided USING (key)
WHERE divided.key IS NULL OR size IS NOT NULL;
