-- Every listing as an offer of some product: its sound barcode, its price, and the shop, a retailer in a country.
CREATE TABLE offer AS
SELECT listing_id, product_uid, country, condition, price, retailer_id || ' ' || country AS shop,
  CASE WHEN is_anchor AND suspect_barcode.gtin14 IS NULL THEN listing.gtin14 END AS barcode
FROM listing
JOIN listing_key USING (listing_id, country, platform, product_id)
LEFT JOIN current_price USING (listing_id)
LEFT JOIN suspect_barcode USING (gtin14);
