-- The same tables where the lake is new.
CREATE TYPE word_at AS STRUCT("at" TIMESTAMP, value VARCHAR);
CREATE TABLE previous_attribute (listing_id INTEGER, country VARCHAR, platform VARCHAR, product_id VARCHAR,
  product_uid VARCHAR,
  product_name word_at, brand word_at, gtin word_at, mpn word_at, model word_at, item_group_id word_at,
  is_bundle word_at, multipack word_at, browse_ids word_at, category_path word_at, google_product_category word_at,
  gpc_code word_at, condition word_at, url word_at, size_value word_at, size_unit word_at, pack_count word_at,
  seller_type word_at, star_rating STRUCT("at" TIMESTAMP, value DECIMAL(3, 2)),
  review_count STRUCT("at" TIMESTAMP, value INTEGER));
CREATE TABLE previous_listing (listing_id INTEGER, entity_uid VARCHAR, country VARCHAR, category_id INTEGER, brand_id INTEGER,
  retailer_id INTEGER, price INTEGER, list_price INTEGER, promo_flag BOOLEAN, in_stock BOOLEAN,
  observed_at TIMESTAMP, scraped_at TIMESTAMP, first_day DATE, last_day DATE);
CREATE TABLE previous_shelf_day (country VARCHAR, day DATE, category_id INTEGER, retailer_id INTEGER,
  observation_count INTEGER, first_second INTEGER, last_second INTEGER);
CREATE TABLE previous_category (category_id INTEGER, path VARCHAR, department VARCHAR);
CREATE TABLE previous_brand (brand_id INTEGER, brand_norm VARCHAR);
CREATE TABLE previous_retailer (retailer_id INTEGER, platform VARCHAR);
CREATE TABLE previous_taxonomy (path VARCHAR, name VARCHAR, parent_path VARCHAR, aliases VARCHAR[], gpc_codes VARCHAR[],
  is_accessory BOOLEAN, is_mixed BOOLEAN, price_floor_us VARCHAR, price_floor_ca VARCHAR, active BOOLEAN);
