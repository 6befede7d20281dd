-- in: arrival, described, newest_time, listing_key, previous_attribute, $observed_attributes out: attribute, duplicate
-- The newest value of every attribute of every listing, with its time; of values with the same time the maximum, so
-- that the order of rows and of refreshes never matters.
CREATE TEMP MACRO dated(in_at, in_value) AS
  CASE WHEN in_value IS NOT NULL THEN {'at': in_at, 'value': in_value} END;

-- The attributes of each listing in this refresh: one row per relevant time.
CREATE TABLE seen AS
SELECT listing_id, observed_at AS seen_at, COLUMNS(lambda name: list_contains(getvariable('observed_attributes'), name))
FROM arrival SEMI JOIN newest_time USING (country, platform, product_id, observed_at)
JOIN listing_key USING (country, platform, product_id)
UNION ALL BY NAME
-- A catalogue's row without a time counts as of the newest observation.
SELECT listing_id,
  coalesce(last_seen_at, (SELECT max(observed_at) FROM newest_time), TIMESTAMP '1990-01-01') AS seen_at,
  described.* EXCLUDE (file, country, platform, product_id, last_seen_at), NULL::DECIMAL(3, 2) AS star_rating,
  NULL::INTEGER AS review_count
FROM described JOIN listing_key USING (country, platform, product_id);

-- Values are compared only for listings with several rows of one time, since that is expensive.
CREATE TABLE newest_attribute AS
WITH tied AS (
  SELECT listing_id, seen_at FROM seen GROUP BY ALL HAVING count(*) > 1
),
moment AS (
  SELECT * FROM seen ANTI JOIN tied USING (listing_id, seen_at)
  UNION ALL
  SELECT listing_id, seen_at, max(COLUMNS(* EXCLUDE (listing_id, seen_at)))
  FROM seen SEMI JOIN tied USING (listing_id, seen_at) GROUP BY ALL
),
repeated AS (
  SELECT listing_id FROM moment GROUP BY listing_id HAVING count(*) > 1
)
SELECT listing_id, dated(seen_at, COLUMNS(* EXCLUDE (listing_id, seen_at))) FROM moment ANTI JOIN repeated USING (listing_id)
UNION ALL
SELECT listing_id, dated(max(seen_at) FILTER (COLUMNS(* EXCLUDE (listing_id, seen_at)) IS NOT NULL),
  arg_max(COLUMNS(* EXCLUDE (listing_id, seen_at)), seen_at))
FROM moment SEMI JOIN repeated USING (listing_id) GROUP BY listing_id;
DROP TABLE seen;

CREATE TABLE attribute AS
SELECT listing_key.*,
  greatest(newest.product_name, previous.product_name) AS product_name, greatest(newest.brand, previous.brand) AS brand,
  greatest(newest.gtin, previous.gtin) AS gtin, greatest(newest.mpn, previous.mpn) AS mpn,
  greatest(newest.model, previous.model) AS model,
  greatest(newest.item_group_id, previous.item_group_id) AS item_group_id,
  greatest(newest.is_bundle, previous.is_bundle) AS is_bundle, greatest(newest.multipack, previous.multipack) AS multipack,
  greatest(newest.browse_ids, previous.browse_ids) AS browse_ids,
  greatest(newest.category_path, previous.category_path) AS category_path,
  greatest(newest.google_product_category, previous.google_product_category) AS google_product_category,
  greatest(newest.gpc_code, previous.gpc_code) AS gpc_code, greatest(newest.condition, previous.condition) AS condition,
  greatest(newest.url, previous.url) AS url, greatest(newest.size_value, previous.size_value) AS size_value,
  greatest(newest.size_unit, previous.size_unit) AS size_unit,
  greatest(newest.pack_count, previous.pack_count) AS pack_count,
  greatest(newest.seller_type, previous.seller_type) AS seller_type,
  greatest(newest.star_rating, previous.star_rating) AS star_rating,
  greatest(newest.review_count, previous.review_count) AS review_count,
  greatest(newest.recommended_price, previous.recommended_price) AS recommended_price
FROM listing_key
LEFT JOIN newest_attribute AS newest USING (listing_id)
LEFT JOIN previous_attribute AS previous USING (listing_id);
DROP TABLE newest_attribute;

-- Rows of a catalogue that repeat a listing, or whose listing the lake has with the same values.
INSERT INTO duplicate
WITH unchanged AS (
  SELECT listing_id FROM attribute JOIN previous_attribute USING (listing_id)
  WHERE attribute IS NOT DISTINCT FROM previous_attribute
),
ranked AS (
  SELECT described.file, listing_id, row_number() OVER (PARTITION BY listing_id ORDER BY described.file) AS rank
  FROM described JOIN listing_key USING (country, platform, product_id)
)
SELECT file, 'same_key', count(*)
FROM ranked LEFT JOIN unchanged USING (listing_id)
WHERE rank > 1 OR unchanged.listing_id IS NOT NULL
GROUP BY file;
