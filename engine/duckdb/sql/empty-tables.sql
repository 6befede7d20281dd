-- The tables that a lake may have no files of: DuckDB refuses a pattern that no file matches. Columns and types are those of data/README.md.
CREATE TABLE observation (
  category_id INTEGER, listing_id INTEGER, retailer_id INTEGER, brand_id INTEGER, day DATE, price INTEGER,
  list_price INTEGER, promo_flag BOOLEAN, in_stock BOOLEAN, country VARCHAR, month VARCHAR
);

CREATE TABLE listing_month (
  category_id INTEGER, listing_id INTEGER, retailer_id INTEGER, brand_id INTEGER, period DATE, price INTEGER,
  observation_count INTEGER, in_stock BOOLEAN, promo BOOLEAN, country VARCHAR, year VARCHAR
);

CREATE TABLE observation_time (
  category_id INTEGER, listing_id INTEGER, day DATE, observed_second INTEGER, country VARCHAR, month VARCHAR
);

CREATE TABLE listing_day (
  listing_id INTEGER, retailer_id INTEGER, brand_id INTEGER, day DATE, price INTEGER, list_price INTEGER,
  promo_flag BOOLEAN, in_stock BOOLEAN, observed_second INTEGER, country VARCHAR, year VARCHAR, block VARCHAR
);

CREATE TABLE listing (
  listing_id INTEGER, retailer_id INTEGER, brand_id INTEGER, category_id INTEGER, accessory_depth INTEGER,
  product_uid VARCHAR, entity_uid VARCHAR, product_id VARCHAR, product_name VARCHAR, brand VARCHAR, condition VARCHAR,
  gtin14 VARCHAR, url VARCHAR, star_rating DECIMAL(3, 2), review_count INTEGER, price INTEGER, list_price INTEGER,
  promo_flag BOOLEAN, in_stock BOOLEAN, observed_at TIMESTAMP, scraped_at TIMESTAMP, first_day DATE, last_day DATE,
  gpc_id INTEGER, gpc_precision VARCHAR, gpc_source VARCHAR, recommended_price INTEGER, size_milli INTEGER,
  size_unit VARCHAR, pack_count INTEGER, observed_days INTEGER, lower_days INTEGER, last_lower_day DATE,
  previous_price INTEGER, likely_uid VARCHAR, likely_probability INTEGER, country VARCHAR
);

CREATE TABLE listing_size (
  listing_id INTEGER, first_day DATE, last_day DATE, size BIGINT, dimension VARCHAR, title VARCHAR, size_text VARCHAR, pack VARCHAR
);

CREATE TABLE match (
  country VARCHAR, listing_id INTEGER, other_listing_id INTEGER, probability INTEGER, words INTEGER, model INTEGER,
  measure INTEGER, number INTEGER, colour INTEGER, kind INTEGER, part_number INTEGER, brand INTEGER, lead INTEGER, price INTEGER
);

CREATE TABLE match_weight (comparison VARCHAR, level INTEGER, weight INTEGER);

CREATE TABLE official_figure (
  source VARCHAR, series VARCHAR, country VARCHAR, period DATE, released_on DATE, value DECIMAL(18, 6), title VARCHAR,
  unit VARCHAR
);

CREATE TABLE index_month (
  country VARCHAR, category_path VARCHAR, retailer VARCHAR, method VARCHAR, month DATE, base_month DATE, log BIGINT,
  listing_count INTEGER, first_published VARCHAR
);

CREATE TABLE shelf_day (
  day DATE, category_id INTEGER, retailer_id INTEGER, observation_count INTEGER, first_second INTEGER,
  last_second INTEGER, country VARCHAR
);

CREATE TABLE shelf_month (
  category_id INTEGER, retailer_id INTEGER, period DATE, first_observed_at TIMESTAMP, last_observed_at TIMESTAMP,
  country VARCHAR
);

CREATE TABLE department_day (
  category_id INTEGER, retailer_id INTEGER, day DATE, started_count INTEGER, ended_count INTEGER,
  observation_count INTEGER, last_second INTEGER, country VARCHAR
);
