-- in: $lake out: empty/*.parquet
-- A file without rows for each table that a refresh reads from the previous snapshot, with the columns that it reads:
-- used if the snapshot lacks the table, and for all tables in a new lake.
CREATE TYPE dated AS STRUCT("at" TIMESTAMP, value VARCHAR);
COPY (SELECT unnest(NULL::STRUCT(listing_id INTEGER, country VARCHAR, platform VARCHAR, product_id VARCHAR,
  product_uid VARCHAR, product_name dated, brand dated, gtin dated, mpn dated, model dated, item_group_id dated,
  is_bundle dated, multipack dated, browse_ids dated, category_path dated, google_product_category dated, gpc_code dated,
  condition dated, url dated, size_value dated, size_unit dated, pack_count dated, seller_type dated,
  star_rating STRUCT("at" TIMESTAMP, value DECIMAL(3, 2)), review_count STRUCT("at" TIMESTAMP, value INTEGER),
  recommended_price STRUCT("at" TIMESTAMP, value BIGINT), gtin14 VARCHAR, gtin_anchor BOOLEAN)) WHERE false)
TO (getvariable('lake')['empty'] || '/listing_attributes.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(listing_id INTEGER, text_hash UBIGINT, condition VARCHAR, gtin14 VARCHAR, is_anchor BOOLEAN,
  dropped_codes VARCHAR, title_brand VARCHAR, part_number VARCHAR, codes VARCHAR, title_words VARCHAR, pack INTEGER,
  kind VARCHAR, size VARCHAR, contents_milli INTEGER, contents_unit VARCHAR, contents_pack INTEGER, sizes_differ BOOLEAN,
  word_count INTEGER, search_words VARCHAR)) WHERE false)
TO (getvariable('lake')['empty'] || '/listing_readings.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(listing_id INTEGER, entity_uid VARCHAR, category_id INTEGER, brand_id INTEGER,
  retailer_id INTEGER, price INTEGER, list_price INTEGER, promo_flag BOOLEAN, in_stock BOOLEAN, observed_at TIMESTAMP,
  scraped_at TIMESTAMP, first_day DATE, last_day DATE, observed_days INTEGER, lower_days INTEGER,
  last_lower_day DATE, previous_price INTEGER)) WHERE false)
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
COPY (SELECT unnest(NULL::STRUCT(listing_id INTEGER, entity_key UBIGINT, likely_key UBIGINT)) WHERE false)
TO (getvariable('lake')['empty'] || '/country=none/search_listings.parquet') (FORMAT parquet);
COPY (SELECT unnest(NULL::STRUCT(key UBIGINT, place INTEGER)) WHERE false)
TO (getvariable('lake')['empty'] || '/country=none/search_keys.parquet') (FORMAT parquet);
