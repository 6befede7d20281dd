-- The key each listing without a sound barcode goes by. A key tells products apart unless a shop has two products under
-- it, its listings have several barcodes or part numbers, or ask more than five times as much as others: a title is weaker
-- evidence than a barcode.
CREATE TABLE titled AS
WITH asked AS (
  SELECT DISTINCT key FROM title_key JOIN offer USING (listing_id) WHERE barcode IS NULL
),
held AS (
  SELECT key, shop, country, barcode, part_number, price, coalesce(barcode, product_uid) AS product
  FROM title_key SEMI JOIN asked USING (key) JOIN offer USING (listing_id) JOIN title_reading USING (listing_id)
),
shop_key AS (
  SELECT key, shop, country, count(*) AS listings, min(product) <> max(product) AS is_ambiguous,
    min(barcode) AS least_barcode, max(barcode) AS greatest_barcode,
    min(part_number) AS least_part, max(part_number) AS greatest_part,
    min(price) AS least_price, max(price) AS greatest_price
  FROM held GROUP BY key, shop, country
),
country_key AS (
  SELECT key, sum(listings) AS listings, min(shop) AS least_shop, max(shop) AS greatest_shop,
    bool_or(is_ambiguous) OR coalesce(max(greatest_price) > 5 * min(least_price)::BIGINT, false) AS is_ambiguous,
    min(least_barcode) AS least_barcode, max(greatest_barcode) AS greatest_barcode,
    min(least_part) AS least_part, max(greatest_part) AS greatest_part
  FROM shop_key GROUP BY key, country
),
telling AS (
  SELECT key, sum(listings)::INTEGER AS listings, min(least_shop) = max(greatest_shop) AS is_alone,
    min(least_barcode) AS barcode
  FROM country_key GROUP BY key
  HAVING NOT bool_or(is_ambiguous)
    AND coalesce(min(least_barcode) = max(greatest_barcode), true) AND coalesce(min(least_part) = max(greatest_part), true)
)
-- Of several, one that others share, the strongest, and of model tokens the rarest: the others are names of a series.
SELECT listing_id, min({'is_alone': is_alone, 'rank': rank, 'listings': listings, 'key': key, 'barcode': telling.barcode}) AS best
FROM title_key JOIN telling USING (key) JOIN offer USING (listing_id)
WHERE offer.barcode IS NULL
GROUP BY listing_id;
