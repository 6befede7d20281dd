-- Every listing's entity: what anchors it, and the uid made of the anchor alone. What is not new is another product, whose
-- price would pass for a low one of the new.
CREATE TABLE entity AS
WITH told AS (
  SELECT listing_id, product_uid, CASE WHEN suspect_barcode.gtin14 IS NULL AND is_anchor THEN listing.gtin14 END AS barcode,
    condition, title_reading.key AS title_key
  FROM listing
  JOIN listing_key USING (listing_id)
  LEFT JOIN suspect_barcode USING (gtin14)
  LEFT JOIN title_reading USING (listing_id)
),
-- The barcode that a title stands for; none where it stands for several.
titled AS (
  SELECT title_key, condition, count(DISTINCT barcode) AS barcodes, min(barcode) AS barcode
  FROM told WHERE title_key IS NOT NULL GROUP BY title_key, condition
),
anchored AS (
  SELECT listing_id, product_uid, condition,
    CASE WHEN told.barcode IS NOT NULL THEN 'barcode|' || told.barcode
         WHEN barcodes = 1 THEN 'barcode|' || titled.barcode
         WHEN barcodes = 0 THEN 'title|' || title_key
         ELSE 'listing|' || product_uid END AS anchor,
    told.barcode IS NULL AND barcodes <= 1 AS is_titled
  FROM told LEFT JOIN titled USING (title_key, condition)
)
SELECT listing_id, 'e_' || base32(left(sha256(concat_ws('|', anchor, nullif(condition, 'new'))), 20)) AS entity_uid,
  split_part(anchor, '|', 1) AS basis
FROM anchored;
