-- in: $lake, $previous out: empty/*.parquet, previous_attribute, previous_listing, previous_shelf_day, previous_category, previous_brand, previous_retailer, previous_taxonomy, previous_gpc_node, previous_gpc_attribute, previous_browse_node, previous_crosswalk, previous_lexicon, previous_sighting, previous_social_brand, previous_entity_change
-- A file without rows for each table that a refresh reads of the previous snapshot, with the columns that it reads: used
-- where the snapshot lacks the table, and for all tables in a new lake.
CREATE TYPE dated AS STRUCT("at" TIMESTAMP, value VARCHAR);
COPY (SELECT unnest(NULL::STRUCT(listing_id INTEGER, country VARCHAR, platform VARCHAR, product_id VARCHAR,
  product_uid VARCHAR, product_name dated, brand dated, gtin dated, mpn dated, model dated, item_group_id dated,
  is_bundle dated, multipack dated, browse_ids dated, category_path dated, google_product_category dated, gpc_code dated,
  condition dated, url dated, size_value dated, size_unit dated, pack_count dated, seller_type dated,
  star_rating STRUCT("at" TIMESTAMP, value DECIMAL(3, 2)), review_count STRUCT("at" TIMESTAMP, value INTEGER),
  gtin14 VARCHAR, gtin_anchor BOOLEAN)) WHERE false)
TO (getvariable('lake')['empty'] || '/listing_attributes.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(listing_id INTEGER, entity_uid VARCHAR, category_id INTEGER, brand_id INTEGER,
  retailer_id INTEGER, price INTEGER, list_price INTEGER, promo_flag BOOLEAN, in_stock BOOLEAN, observed_at TIMESTAMP,
  scraped_at TIMESTAMP, first_day DATE, last_day DATE)) WHERE false)
TO (getvariable('lake')['empty'] || '/country=none/listings.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(day DATE, category_id INTEGER, retailer_id INTEGER, observation_count INTEGER,
  first_second INTEGER, last_second INTEGER)) WHERE false)
TO (getvariable('lake')['empty'] || '/country=none/shelf_days.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(category_id INTEGER, path VARCHAR, department VARCHAR)) WHERE false)
TO (getvariable('lake')['empty'] || '/categories.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(brand_id INTEGER, brand_norm VARCHAR)) WHERE false)
TO (getvariable('lake')['empty'] || '/brands.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(retailer_id INTEGER, platform VARCHAR)) WHERE false)
TO (getvariable('lake')['empty'] || '/retailers.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(path VARCHAR, name VARCHAR, parent_path VARCHAR, aliases VARCHAR[], gpc_codes VARCHAR[],
  is_accessory BOOLEAN, is_mixed BOOLEAN, price_floor_us VARCHAR, price_floor_ca VARCHAR, active BOOLEAN)) WHERE false)
TO (getvariable('lake')['empty'] || '/category_taxonomy.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(release VARCHAR, code VARCHAR, level VARCHAR, title VARCHAR, definition VARCHAR,
  excludes VARCHAR, active BOOLEAN, segment_code VARCHAR, family_code VARCHAR, class_code VARCHAR)) WHERE false)
TO (getvariable('lake')['empty'] || '/gpc_nodes.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(release VARCHAR, brick_code VARCHAR, attribute_code VARCHAR, title VARCHAR,
  ordinal INTEGER, value_codes VARCHAR[], value_titles VARCHAR[])) WHERE false)
TO (getvariable('lake')['empty'] || '/gpc_attributes.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(marketplace VARCHAR, browse_id VARCHAR, name VARCHAR, parent_ids VARCHAR[],
  path_ids VARCHAR[])) WHERE false)
TO (getvariable('lake')['empty'] || '/browse_nodes.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(marketplace VARCHAR, browse_id VARCHAR, predicate VARCHAR, gpc_code VARCHAR,
  is_not BOOLEAN, assurance_state VARCHAR, mapping_set_version VARCHAR)) WHERE false)
TO (getvariable('lake')['empty'] || '/crosswalk.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(phrase VARCHAR, phrase_key VARCHAR, outcome VARCHAR, gpc_code VARCHAR,
  candidate_codes VARCHAR[], reason VARCHAR, note VARCHAR)) WHERE false)
TO (getvariable('lake')['empty'] || '/lexicon.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(platform VARCHAR, post_key UBIGINT, collected_at TIMESTAMP, posted_at TIMESTAMP,
  category_root VARCHAR, brand_norms VARCHAR[], gpc_codes VARCHAR[], theme VARCHAR, views BIGINT, engagements BIGINT,
  is_ad BOOLEAN, is_noise BOOLEAN)) WHERE false)
TO (getvariable('lake')['empty'] || '/social_sightings.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(brand_norm VARCHAR, brand VARCHAR)) WHERE false)
TO (getvariable('lake')['empty'] || '/social_brands.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(snapshot_id VARCHAR, listing_id INTEGER, product_uid VARCHAR, from_entity_uid VARCHAR,
  to_entity_uid VARCHAR, kind VARCHAR)) WHERE false)
TO (getvariable('lake')['empty'] || '/entity_changes.parquet') (FORMAT parquet);

-- What a refresh reads of the previous snapshot: the variable `previous` has the files of each table.
CREATE VIEW previous_attribute AS
SELECT * EXCLUDE (gtin14, gtin_anchor) FROM read_parquet(getvariable('previous')['listing_attributes']);

CREATE VIEW previous_listing AS
SELECT listing_id, entity_uid, country, category_id, brand_id, retailer_id, price, list_price, promo_flag, in_stock,
  observed_at, scraped_at, first_day, last_day
FROM read_parquet(getvariable('previous')['listings'], hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW previous_shelf_day AS
SELECT country, day, category_id, retailer_id, observation_count, first_second, last_second
FROM read_parquet(getvariable('previous')['shelf_days'], hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW previous_category AS
SELECT category_id, path, department FROM read_parquet(getvariable('previous')['categories']);

CREATE VIEW previous_brand AS SELECT brand_id, brand_norm FROM read_parquet(getvariable('previous')['brands']);

CREATE VIEW previous_retailer AS SELECT retailer_id, platform FROM read_parquet(getvariable('previous')['retailers']);

CREATE VIEW previous_taxonomy AS FROM read_parquet(getvariable('previous')['category_taxonomy']);

CREATE VIEW previous_gpc_node AS
SELECT release, code, level, title, definition, excludes, active, segment_code, family_code, class_code
FROM read_parquet(getvariable('previous')['gpc_nodes']);

CREATE VIEW previous_gpc_attribute AS FROM read_parquet(getvariable('previous')['gpc_attributes']);

CREATE VIEW previous_browse_node AS
SELECT marketplace, browse_id, name, parent_ids, path_ids FROM read_parquet(getvariable('previous')['browse_nodes']);

CREATE VIEW previous_crosswalk AS FROM read_parquet(getvariable('previous')['crosswalk']);

CREATE VIEW previous_lexicon AS FROM read_parquet(getvariable('previous')['lexicon']);

CREATE VIEW previous_sighting AS FROM read_parquet(getvariable('previous')['social_sightings']);

CREATE VIEW previous_social_brand AS FROM read_parquet(getvariable('previous')['social_brands']);

CREATE VIEW previous_entity_change AS FROM read_parquet(getvariable('previous')['entity_changes']);
