-- The tables of the snapshot before, as far as a refresh builds on them; the variable `lake` tells where they are.
CREATE VIEW previous_attribute AS
SELECT * EXCLUDE (gtin14, gtin_anchor)
FROM read_parquet(getvariable('lake')['previous'] || '/listing_attributes.parquet');

CREATE VIEW previous_listing AS
SELECT listing_id, entity_uid, country, category_id, brand_id, retailer_id, price, list_price, promo_flag, in_stock, observed_at,
  scraped_at, first_day, last_day
FROM read_parquet(getvariable('lake')['previous'] || '/listings/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW previous_shelf_day AS
SELECT * FROM read_parquet(getvariable('lake')['previous'] || '/shelf_days/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW previous_category AS
SELECT category_id, path, department FROM read_parquet(getvariable('lake')['previous'] || '/categories.parquet');

CREATE VIEW previous_brand AS
SELECT brand_id, brand_norm FROM read_parquet(getvariable('lake')['previous'] || '/brands.parquet');

CREATE VIEW previous_retailer AS
SELECT retailer_id, platform FROM read_parquet(getvariable('lake')['previous'] || '/retailers.parquet');

CREATE VIEW previous_taxonomy AS
SELECT * FROM read_parquet(getvariable('lake')['previous'] || '/category_taxonomy.parquet');
