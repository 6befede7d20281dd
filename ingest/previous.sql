-- in: $previous out: stored_attribute, previous_attribute, previous_reading, previous_listing, previous_shelf_day, previous_category, previous_brand, previous_retailer, previous_taxonomy, previous_gpc_node, previous_gpc_attribute, previous_browse_node, previous_crosswalk, previous_lexicon, previous_sighting, previous_social_brand, previous_official_figure, previous_index_month, previous_entity_change, previous_size
-- The tables that a refresh reads from the previous snapshot; the variable `previous` has the files of each.
-- Those of a lake of an earlier format, which lacks columns, end with a file of these columns without rows.
CREATE VIEW stored_attribute AS
SELECT * EXCLUDE (gtin14, gtin_anchor) FROM read_parquet(
  getvariable('previous')['listing_attributes'], union_by_name = true);

CREATE VIEW previous_attribute AS FROM stored_attribute;

CREATE VIEW previous_reading AS FROM read_parquet(getvariable('previous')['listing_readings']);

CREATE VIEW previous_listing AS
SELECT listing_id, entity_uid, country, category_id, brand_id, retailer_id, price, list_price, promo_flag, in_stock,
  observed_at, scraped_at, first_day, last_day, observed_days, lower_days, last_lower_day, previous_price
FROM read_parquet(getvariable('previous')['listings'], hive_partitioning = true, hive_types = {'country': VARCHAR},
  union_by_name = true);

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

CREATE VIEW previous_official_figure AS FROM read_parquet(getvariable('previous')['official_figures']);

CREATE VIEW previous_index_month AS FROM read_parquet(getvariable('previous')['index_months']);

CREATE VIEW previous_entity_change AS FROM read_parquet(getvariable('previous')['entity_changes']);

CREATE VIEW previous_size AS
SELECT listing_id, first_day, last_day, size, dimension, title, size_text, pack
FROM read_parquet(getvariable('previous')['listing_sizes']);
