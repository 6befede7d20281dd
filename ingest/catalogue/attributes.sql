-- Each listing's newest word on everything, of this refresh: most have one wording, which needs no comparing.
CREATE TABLE said AS
WITH worded AS (
  SELECT * EXCLUDE (country, platform, product_id) FROM wording JOIN listing_key USING (country, platform, product_id)
),
reworded AS (
  SELECT listing_id FROM worded GROUP BY listing_id HAVING count(*) > 1
)
SELECT listing_id, star_rating, review_count,
  at_time(said_at, product_name) AS product_name, at_time(said_at, brand) AS brand, at_time(said_at, gtin) AS gtin,
  at_time(said_at, mpn) AS mpn, at_time(said_at, model) AS model, at_time(said_at, item_group_id) AS item_group_id,
  at_time(said_at, is_bundle) AS is_bundle, at_time(said_at, multipack) AS multipack,
  at_time(said_at, browse_ids) AS browse_ids, at_time(said_at, category_path) AS category_path,
  at_time(said_at, google_product_category) AS google_product_category, at_time(said_at, gpc_code) AS gpc_code,
  at_time(said_at, condition) AS condition, at_time(said_at, url) AS url, at_time(said_at, size_value) AS size_value,
  at_time(said_at, size_unit) AS size_unit, at_time(said_at, pack_count) AS pack_count,
  at_time(said_at, seller_type) AS seller_type
FROM worded ANTI JOIN reworded USING (listing_id)
UNION ALL
SELECT listing_id, max(star_rating), max(review_count),
  max(at_time(said_at, product_name)), max(at_time(said_at, brand)), max(at_time(said_at, gtin)),
  max(at_time(said_at, mpn)), max(at_time(said_at, model)), max(at_time(said_at, item_group_id)),
  max(at_time(said_at, is_bundle)), max(at_time(said_at, multipack)), max(at_time(said_at, browse_ids)),
  max(at_time(said_at, category_path)), max(at_time(said_at, google_product_category)),
  max(at_time(said_at, gpc_code)), max(at_time(said_at, condition)), max(at_time(said_at, url)),
  max(at_time(said_at, size_value)), max(at_time(said_at, size_unit)), max(at_time(said_at, pack_count)),
  max(at_time(said_at, seller_type))
FROM worded SEMI JOIN reworded USING (listing_id)
GROUP BY listing_id;

-- The newest value of every attribute of every listing, with when it was said: of equal times the greater value, so
-- that the order of rows and refreshes never matters.
CREATE TABLE attribute AS
SELECT listing_key.*,
  greatest(said.product_name, previous.product_name) AS product_name, greatest(said.brand, previous.brand) AS brand,
  greatest(said.gtin, previous.gtin) AS gtin, greatest(said.mpn, previous.mpn) AS mpn,
  greatest(said.model, previous.model) AS model,
  greatest(said.item_group_id, previous.item_group_id) AS item_group_id,
  greatest(said.is_bundle, previous.is_bundle) AS is_bundle,
  greatest(said.multipack, previous.multipack) AS multipack,
  greatest(said.browse_ids, previous.browse_ids) AS browse_ids,
  greatest(said.category_path, previous.category_path) AS category_path,
  greatest(said.google_product_category, previous.google_product_category) AS google_product_category,
  greatest(said.gpc_code, previous.gpc_code) AS gpc_code, greatest(said.condition, previous.condition) AS condition,
  greatest(said.url, previous.url) AS url, greatest(said.size_value, previous.size_value) AS size_value,
  greatest(said.size_unit, previous.size_unit) AS size_unit,
  greatest(said.pack_count, previous.pack_count) AS pack_count,
  greatest(said.seller_type, previous.seller_type) AS seller_type,
  greatest(said.star_rating, previous.star_rating) AS star_rating,
  greatest(said.review_count, previous.review_count) AS review_count
FROM listing_key
LEFT JOIN said USING (listing_id)
LEFT JOIN previous_attribute AS previous USING (listing_id);
