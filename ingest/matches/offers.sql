-- in: listing, listing_key, attribute, entity, current_price, title_reading out: match_offer
-- The offers that are compared: of an entity in one shop, a retailer in a country, the listing with the first uid. Numbers
-- of offers and shops follow uids and names, so that no order of refreshes changes what is found.
CREATE TABLE match_offer AS
WITH shop AS (
  SELECT platform, country, row_number() OVER (ORDER BY platform, country)::INTEGER AS shop
  FROM (SELECT DISTINCT platform, country FROM listing)
),
first AS (
  SELECT entity_uid, shop, min(product_uid) AS product_uid, min_by(listing_id, product_uid) AS listing_id
  FROM listing
  JOIN shop USING (platform, country)
  JOIN (SELECT listing_id, product_uid FROM listing_key) USING (listing_id)
  JOIN entity USING (listing_id)
  GROUP BY ALL
)
SELECT row_number() OVER (ORDER BY first.product_uid)::INTEGER AS offer, listing_id, first.product_uid, entity_uid, shop, listing.country,
  listing.condition, current_price.price, product_name.value AS title, listing.brand,
  coalesce(mpn.value, model.value) AS code, coalesce(kind, '1') AS kind
FROM first
JOIN listing USING (listing_id)
JOIN attribute USING (listing_id)
LEFT JOIN current_price USING (listing_id)
LEFT JOIN title_reading USING (listing_id)
WHERE product_name IS NOT NULL;
