-- in: offer, title_key out: entity
-- Every listing's entity and its anchor: the listing's barcode or that of listings with the same title, else a title
-- that several listings share, else the listing itself. The uid is a hash of the anchor.

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
unambiguous_key AS (
  SELECT key, sum(listings)::INTEGER AS listings, min(min_shop) = max(max_shop) AS is_alone, min(min_barcode) AS barcode
  FROM country_key GROUP BY key
  HAVING NOT bool_or(is_ambiguous)
    AND coalesce(min(min_barcode) = max(max_barcode), true) AND coalesce(min(min_part) = max(max_part), true)
)
-- Of several keys, prefers one shared with other shops, then the strongest, then the rarest: frequent model codes name
-- a series.
SELECT listing_id,
  min({'is_alone': is_alone, 'rank': rank, 'listings': listings, 'key': key, 'barcode': unambiguous_key.barcode}) AS best
FROM title_key JOIN unambiguous_key USING (key) JOIN offer USING (listing_id)
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
),
-- Hashing and encoding an anchor is the most expensive part, so it is done once.
named AS (
  SELECT basis, anchor, 'e_' || base32(left(sha256(concat_ws('|', basis, anchor)), 20)) AS entity_uid
  FROM (SELECT DISTINCT basis, anchor FROM based)
)
SELECT listing_id, entity_uid, basis FROM based JOIN named USING (basis, anchor);

-- Frees the memory of tables that no later step reads.
DROP TABLE title;
DROP TABLE title_text_reading;
DROP TABLE title_key;
DROP TABLE titled;
DROP TABLE offer;
