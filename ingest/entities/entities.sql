-- in: listing, listing_key, current_price, title, title_reading out: suspect_barcode, entity
-- Every listing's entity and what anchors it: a barcode of its own or one that its title leads to, else a title that
-- several listings share, else the listing itself. The uid is a hash of the anchor.

-- Barcodes that cannot name one product: three brands or more carry the barcode, or in one country and condition its
-- highest price is more than ten times its lowest.
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
JOIN listing_key USING (listing_id, country, platform, product_id)
LEFT JOIN current_price USING (listing_id)
LEFT JOIN suspect_barcode USING (gtin14);

-- Titles may meet by part number and pack count, then by model code, pack count and kind, then by all words; each with
-- the brand and the condition, for what is not new is another product.
CREATE TABLE title_key AS
WITH part AS (
  SELECT title_id, 0 AS rank, part_number AS text, pack::VARCHAR AS kind FROM title_reading WHERE part_number IS NOT NULL
  UNION ALL
  SELECT title_id, 1, unnest(string_split(coalesce(part_number, codes), ' ')), kind FROM title_reading
  UNION ALL
  SELECT title_id, 2, words, kind FROM title_reading WHERE words IS NOT NULL
),
listing_title AS (
  SELECT unnest(listing_ids) AS listing_id, title_id FROM title
),
keyed AS (
  SELECT listing_id, part_number, rank, md5(concat_ws('|', rank, brand, text, part.kind, condition)) AS key, size
  FROM part JOIN title_reading USING (title_id) JOIN listing_title USING (title_id) JOIN offer USING (listing_id)
  WHERE brand IS NOT NULL
),
-- A key whose listings have several sizes names several products, none of which a listing without a size belongs to.
divided AS (
  SELECT key FROM keyed GROUP BY key HAVING min(size) <> max(size)
)
SELECT listing_id, part_number, rank, CASE WHEN divided.key IS NULL THEN key ELSE concat_ws('|', key, size) END AS key
FROM keyed LEFT JOIN divided USING (key)
WHERE divided.key IS NULL OR size IS NOT NULL;

-- The best key of each listing without a barcode. A key names one product unless a shop has two products under it, its
-- listings have several barcodes or part numbers, or the highest price of a country is more than five times the lowest:
-- a title is weaker evidence than a barcode.
CREATE TABLE titled AS
WITH wanted AS (
  SELECT DISTINCT key FROM title_key JOIN offer USING (listing_id) WHERE barcode IS NULL
),
keyed_offer AS (
  SELECT key, shop, country, barcode, part_number, price, coalesce(barcode, product_uid) AS product
  FROM title_key SEMI JOIN wanted USING (key) JOIN offer USING (listing_id)
),
shop_key AS (
  SELECT key, shop, country, count(*) AS listings, min(product) <> max(product) AS is_ambiguous,
    min(barcode) AS min_barcode, max(barcode) AS max_barcode, min(part_number) AS min_part,
    max(part_number) AS max_part, min(price) AS min_price, max(price) AS max_price
  FROM keyed_offer GROUP BY key, shop, country
),
country_key AS (
  SELECT key, sum(listings) AS listings, min(shop) AS min_shop, max(shop) AS max_shop,
    bool_or(is_ambiguous) OR coalesce(max(max_price) > 5 * min(min_price)::BIGINT, false) AS is_ambiguous,
    min(min_barcode) AS min_barcode, max(max_barcode) AS max_barcode, min(min_part) AS min_part,
    max(max_part) AS max_part
  FROM shop_key GROUP BY key, country
),
sound_key AS (
  SELECT key, sum(listings)::INTEGER AS listings, min(min_shop) = max(max_shop) AS is_alone, min(min_barcode) AS barcode
  FROM country_key GROUP BY key
  HAVING NOT bool_or(is_ambiguous)
    AND coalesce(min(min_barcode) = max(max_barcode), true) AND coalesce(min(min_part) = max(max_part), true)
)
-- Of several keys, one that other shops share, then the strongest, then the rarest: frequent model codes name a series.
SELECT listing_id,
  min({'is_alone': is_alone, 'rank': rank, 'listings': listings, 'key': key, 'barcode': sound_key.barcode}) AS best
FROM title_key JOIN sound_key USING (key) JOIN offer USING (listing_id)
WHERE offer.barcode IS NULL
GROUP BY listing_id;

CREATE TABLE entity AS
WITH anchored AS (
  SELECT listing_id, coalesce(offer.barcode, best.barcode) AS barcode, best.key AS key, product_uid, condition
  FROM offer LEFT JOIN titled USING (listing_id)
),
based AS (
  SELECT listing_id,
    CASE WHEN barcode IS NOT NULL THEN 'barcode' WHEN key IS NOT NULL THEN 'title' ELSE 'listing' END AS basis,
    CASE WHEN barcode IS NOT NULL THEN concat_ws('|', barcode, nullif(condition, 'new'))
         ELSE coalesce(key, product_uid) END AS anchor
  FROM anchored
)
SELECT listing_id, 'e_' || base32(left(sha256(concat_ws('|', basis, anchor)), 20)) AS entity_uid, basis
FROM based;

-- Frees the memory of what no later step reads.
DROP TABLE title;
DROP TABLE title_reading;
DROP TABLE title_key;
DROP TABLE titled;
DROP TABLE offer;
