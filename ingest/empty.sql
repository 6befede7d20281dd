-- in: out: stored_attribute, previous_attribute, previous_reading, previous_listing, previous_shelf_day, previous_category, previous_brand, previous_retailer, previous_taxonomy, previous_gpc_node, previous_gpc_attribute, previous_browse_node, previous_crosswalk, previous_lexicon, previous_sighting, previous_social_brand, previous_official_figure, previous_index_month, previous_entity_change, previous_size
-- What a refresh reads from the previous snapshot, where there is none: tables without rows, with the columns that it reads.
CREATE TYPE dated AS STRUCT("at" TIMESTAMP, value VARCHAR);
CREATE TABLE stored_attribute (listing_id INTEGER, country VARCHAR, platform VARCHAR, product_id VARCHAR,
  product_uid VARCHAR, product_name dated, brand dated, gtin dated, mpn dated, model dated, item_group_id dated,
  is_bundle dated, multipack dated, browse_ids dated, category_path dated, google_product_category dated,
  gpc_code dated, condition dated, url dated, size_value dated, size_unit dated, pack_count dated, seller_type dated,
  star_rating STRUCT("at" TIMESTAMP, value DECIMAL(3, 2)), review_count STRUCT("at" TIMESTAMP, value INTEGER),
  recommended_price STRUCT("at" TIMESTAMP, value BIGINT));
CREATE VIEW previous_attribute AS FROM stored_attribute;
CREATE TABLE previous_reading (listing_id INTEGER, text_hash UBIGINT, condition VARCHAR, gtin14 VARCHAR,
  is_anchor BOOLEAN, dropped_codes VARCHAR, title_brand VARCHAR, part_number VARCHAR, codes VARCHAR,
  title_words VARCHAR, pack INTEGER, kind VARCHAR, size VARCHAR, contents_milli INTEGER, contents_unit VARCHAR,
  contents_pack INTEGER, sizes_differ BOOLEAN, word_count INTEGER, search_words VARCHAR, search_keys UBIGINT[]);
CREATE TABLE previous_listing (listing_id INTEGER, entity_uid VARCHAR, country VARCHAR, category_id INTEGER,
  brand_id INTEGER, retailer_id INTEGER, price INTEGER, list_price INTEGER, promo_flag BOOLEAN, in_stock BOOLEAN,
  observed_at TIMESTAMP, scraped_at TIMESTAMP, first_day DATE, last_day DATE, observed_days INTEGER, lower_days INTEGER,
  last_lower_day DATE, previous_price INTEGER);
CREATE TABLE previous_shelf_day (country VARCHAR, day DATE, category_id INTEGER, retailer_id INTEGER,
  observation_count INTEGER, first_second INTEGER, last_second INTEGER);
CREATE TABLE previous_category (category_id INTEGER, path VARCHAR, department VARCHAR);
CREATE TABLE previous_brand (brand_id INTEGER, brand_norm VARCHAR);
CREATE TABLE previous_retailer (retailer_id INTEGER, platform VARCHAR);
CREATE TABLE previous_taxonomy (path VARCHAR, name VARCHAR, parent_path VARCHAR, aliases VARCHAR[], gpc_codes VARCHAR[],
  is_accessory BOOLEAN, is_mixed BOOLEAN, price_floor_us VARCHAR, price_floor_ca VARCHAR, active BOOLEAN);
CREATE TABLE previous_gpc_node (release VARCHAR, code VARCHAR, level VARCHAR, title VARCHAR, definition VARCHAR,
  excludes VARCHAR, active BOOLEAN, segment_code VARCHAR, family_code VARCHAR, class_code VARCHAR);
CREATE TABLE previous_gpc_attribute (release VARCHAR, brick_code VARCHAR, attribute_code VARCHAR, title VARCHAR,
  ordinal INTEGER, value_codes VARCHAR[], value_titles VARCHAR[]);
CREATE TABLE previous_browse_node (marketplace VARCHAR, browse_id VARCHAR, name VARCHAR, parent_ids VARCHAR[],
  path_ids VARCHAR[]);
CREATE TABLE previous_crosswalk (marketplace VARCHAR, browse_id VARCHAR, predicate VARCHAR, gpc_code VARCHAR,
  is_not BOOLEAN, assurance_state VARCHAR, mapping_set_version VARCHAR);
CREATE TABLE previous_lexicon (phrase VARCHAR, phrase_key VARCHAR, outcome VARCHAR, gpc_code VARCHAR,
  candidate_codes VARCHAR[], reason VARCHAR, note VARCHAR);
CREATE TABLE previous_sighting (platform VARCHAR, post_key UBIGINT, collected_at TIMESTAMP, posted_at TIMESTAMP,
  category_root VARCHAR, brand_norms VARCHAR[], gpc_codes VARCHAR[], theme VARCHAR, views BIGINT, engagements BIGINT,
  is_ad BOOLEAN, is_noise BOOLEAN);
CREATE TABLE previous_social_brand (brand_norm VARCHAR, brand VARCHAR);
CREATE TABLE previous_official_figure (source VARCHAR, series VARCHAR, country VARCHAR, period DATE, released_on DATE,
  value DECIMAL(18, 6), title VARCHAR, unit VARCHAR);
CREATE TABLE previous_index_month (country VARCHAR, category_path VARCHAR, retailer VARCHAR, method VARCHAR, month DATE,
  base_month DATE, log BIGINT, listing_count INTEGER, first_published VARCHAR);
CREATE TABLE previous_entity_change (snapshot_id VARCHAR, listing_id INTEGER, product_uid VARCHAR,
  from_entity_uid VARCHAR, to_entity_uid VARCHAR, kind VARCHAR);
CREATE TABLE previous_size (listing_id INTEGER, first_day DATE, last_day DATE, size BIGINT, dimension VARCHAR,
  title VARCHAR, size_text VARCHAR, pack VARCHAR);
