-- The newest value of every attribute of every listing, with when it was said: of equal times the greater value, so
-- that the order of rows and refreshes never matters.
CREATE TABLE attribute AS
WITH added AS (
  SELECT listing_id,
    newest(said_at, attributes.product_name) AS product_name,
    newest(said_at, attributes.brand) AS brand,
    newest(said_at, attributes.gtin) AS gtin,
    newest(said_at, attributes.mpn) AS mpn,
    newest(said_at, attributes.model) AS model,
    newest(said_at, attributes.item_group_id) AS item_group_id,
    newest(said_at, attributes.is_bundle) AS is_bundle,
    newest(said_at, attributes.multipack) AS multipack,
    newest(said_at, attributes.browse_ids) AS browse_ids,
    newest(said_at, attributes.category_path) AS category_path,
    newest(said_at, attributes.google_product_category) AS google_product_category,
    newest(said_at, attributes.gpc_code) AS gpc_code,
    newest(said_at, attributes.condition) AS condition,
    newest(said_at, attributes.url) AS url,
    newest(said_at, attributes.size_value) AS size_value,
    newest(said_at, attributes.size_unit) AS size_unit,
    newest(said_at, attributes.pack_count) AS pack_count,
    newest(said_at, attributes.seller_type) AS seller_type
  FROM wording GROUP BY listing_id
)
SELECT listing_id, country, platform, product_id, product_uid,
  greatest(added.product_name, previous.product_name) AS product_name,
  greatest(added.brand, previous.brand) AS brand,
  greatest(added.gtin, previous.gtin) AS gtin,
  greatest(added.mpn, previous.mpn) AS mpn,
  greatest(added.model, previous.model) AS model,
  greatest(added.item_group_id, previous.item_group_id) AS item_group_id,
  greatest(added.is_bundle, previous.is_bundle) AS is_bundle,
  greatest(added.multipack, previous.multipack) AS multipack,
  greatest(added.browse_ids, previous.browse_ids) AS browse_ids,
  greatest(added.category_path, previous.category_path) AS category_path,
  greatest(added.google_product_category, previous.google_product_category) AS google_product_category,
  greatest(added.gpc_code, previous.gpc_code) AS gpc_code,
  greatest(added.condition, previous.condition) AS condition,
  greatest(added.url, previous.url) AS url,
  greatest(added.size_value, previous.size_value) AS size_value,
  greatest(added.size_unit, previous.size_unit) AS size_unit,
  greatest(added.pack_count, previous.pack_count) AS pack_count,
  greatest(added.seller_type, previous.seller_type) AS seller_type,
  greatest(rating.star_rating, previous.star_rating) AS star_rating,
  greatest(rating.review_count, previous.review_count) AS review_count
FROM listing_key
LEFT JOIN added USING (listing_id)
LEFT JOIN rating USING (listing_id)
LEFT JOIN (SELECT * EXCLUDE (country, platform, product_id, product_uid) FROM previous_attribute) AS previous
  USING (listing_id);
