-- in: $lake out: no_rows_of_price_observations, staged/*.parquet
-- The checked rows of feeds without files, so that later steps find all columns of each. Planning the rules of every feed
-- for no row would take a tenth of a small refresh.
CREATE TEMP TABLE no_rows_of_price_observations (file INTEGER, row BIGINT, platform VARCHAR, country VARCHAR,
  listing_id VARCHAR, observed_at TIMESTAMP, scraped_at TIMESTAMP, price INTEGER, list_price INTEGER, promo_flag BOOLEAN,
  in_stock BOOLEAN, seller_id VARCHAR, star_rating DECIMAL(3, 2), review_count INTEGER, product_name VARCHAR, brand VARCHAR,
  gtin VARCHAR, mpn VARCHAR, model VARCHAR, item_group_id VARCHAR, is_bundle VARCHAR, multipack VARCHAR,
  browse_ids VARCHAR, category_path VARCHAR, google_product_category VARCHAR, gpc_code VARCHAR, condition VARCHAR,
  url VARCHAR, size_value VARCHAR, size_unit VARCHAR, pack_count VARCHAR, seller_type VARCHAR, recommended_price BIGINT,
  is_sound BOOLEAN, month BIGINT, fault fault, remark VARCHAR);

CREATE TEMP TABLE no_rows_of_product_catalogue (file INTEGER, row BIGINT, platform VARCHAR, country VARCHAR,
  listing_id VARCHAR, last_seen_at TIMESTAMP, product_name VARCHAR, brand VARCHAR, gtin VARCHAR, mpn VARCHAR,
  model VARCHAR, item_group_id VARCHAR, is_bundle VARCHAR, multipack VARCHAR, browse_ids VARCHAR, category_path VARCHAR,
  google_product_category VARCHAR, gpc_code VARCHAR, condition VARCHAR, url VARCHAR, size_value VARCHAR,
  size_unit VARCHAR, pack_count VARCHAR, seller_type VARCHAR, recommended_price BIGINT, review_count INTEGER, fault fault,
  remark VARCHAR);

CREATE TEMP TABLE no_rows_of_category_taxonomy (file INTEGER, row BIGINT, path VARCHAR, name VARCHAR, parent_path VARCHAR,
  aliases VARCHAR[], gpc_codes VARCHAR[], is_accessory BOOLEAN, is_mixed BOOLEAN, price_floor_us VARCHAR,
  price_floor_ca VARCHAR, active BOOLEAN, fault fault, remark VARCHAR);

CREATE TEMP TABLE no_rows_of_browse_nodes (file INTEGER, row BIGINT, marketplace VARCHAR, browse_id VARCHAR, name VARCHAR,
  parent_id VARCHAR, path_ids VARCHAR[], fault fault, remark VARCHAR);

CREATE TEMP TABLE no_rows_of_social_posts (file INTEGER, row BIGINT, platform VARCHAR, post_id VARCHAR,
  posted_at TIMESTAMP, collected_at TIMESTAMP, category_root VARCHAR, brand_source VARCHAR, gpc_codes VARCHAR[],
  theme VARCHAR, views BIGINT, engagements BIGINT, is_ad BOOLEAN, is_noise BOOLEAN, fault fault, remark VARCHAR);

CREATE TEMP TABLE no_rows_of_official_series (file INTEGER, row BIGINT, source VARCHAR, series VARCHAR, country VARCHAR,
  period DATE, value DECIMAL(18, 6), released_on DATE, title VARCHAR, unit VARCHAR, fault fault, remark VARCHAR);

COPY no_rows_of_product_catalogue TO (getvariable('lake')['staged'] || '/product_catalogue-0.parquet') (FORMAT parquet);
COPY no_rows_of_category_taxonomy TO (getvariable('lake')['staged'] || '/category_taxonomy-0.parquet') (FORMAT parquet);
COPY no_rows_of_browse_nodes TO (getvariable('lake')['staged'] || '/browse_nodes-0.parquet') (FORMAT parquet);
COPY no_rows_of_social_posts TO (getvariable('lake')['staged'] || '/social_posts-0.parquet') (FORMAT parquet);
COPY no_rows_of_official_series TO (getvariable('lake')['staged'] || '/official_series-0.parquet') (FORMAT parquet);
COPY (SELECT country, platform, listing_id AS product_id, observed_at FROM no_rows_of_price_observations)
TO (getvariable('lake')['staged'] || '/sightings-0.parquet') (FORMAT parquet);
