-- Barcodes that cannot name one product: three brands or more carry it, or listings of the same country and condition
-- ask more than ten times as much as others.
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
