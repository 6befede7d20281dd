-- The tables of one shard of a snapshot in ClickHouse (data/README.md). Every listing is on one shard, with all its rows and
-- with the other listings of its entity and likely product, as `place` has them; every shard has all of shelf_day.
CREATE TABLE place (listing_id Int32) ENGINE = MergeTree ORDER BY listing_id;

CREATE TABLE observation (
  country LowCardinality(String), month LowCardinality(String), category_id Int32, listing_id Int32, retailer_id Int32,
  brand_id Nullable(Int32), day Date, price Int32, list_price Nullable(Int32), promo_flag Nullable(Bool),
  in_stock Nullable(Bool)
) ENGINE = MergeTree PARTITION BY month ORDER BY (country, category_id, listing_id, day);

CREATE TABLE observation_time (
  country LowCardinality(String), month LowCardinality(String), category_id Int32, listing_id Int32, day Date,
  observed_second Int32
) ENGINE = MergeTree PARTITION BY month ORDER BY (country, category_id, listing_id, day);

CREATE TABLE listing_month (
  country LowCardinality(String), year LowCardinality(String), category_id Int32, listing_id Int32, retailer_id Int32,
  brand_id Nullable(Int32), period Date, price Int32, observation_count Int32, in_stock Nullable(Bool),
  promo Nullable(Bool)
) ENGINE = MergeTree PARTITION BY year ORDER BY (country, category_id, listing_id, period);

CREATE TABLE listing (
  country LowCardinality(String), listing_id Int32, retailer_id Int32, brand_id Nullable(Int32), category_id Int32,
  accessory_depth Int32, product_uid String, entity_uid Nullable(String), product_id String,
  product_name Nullable(String), brand Nullable(String), condition LowCardinality(String), url Nullable(String),
  star_rating Nullable(Decimal(3, 2)), review_count Nullable(Int32), price Nullable(Int32), list_price Nullable(Int32),
  promo_flag Nullable(Bool), in_stock Nullable(Bool), observed_at Nullable(DateTime64(6, 'UTC')),
  scraped_at Nullable(DateTime64(6, 'UTC')), first_day Nullable(Date), last_day Nullable(Date), gpc_id Nullable(Int32),
  gpc_precision LowCardinality(Nullable(String)), gpc_source LowCardinality(Nullable(String)),
  recommended_price Nullable(Int32), size_milli Nullable(Int32), size_unit LowCardinality(Nullable(String)),
  pack_count Nullable(Int32), observed_days Nullable(Int32), lower_days Nullable(Int32), last_lower_day Nullable(Date),
  previous_price Nullable(Int32), likely_uid Nullable(String), likely_probability Nullable(Int32)
) ENGINE = MergeTree ORDER BY (country, category_id, listing_id);

CREATE TABLE listing_size (
  listing_id Int32, first_day Date, last_day Date, size Int64, dimension LowCardinality(String)
) ENGINE = MergeTree ORDER BY (listing_id, first_day);

CREATE TABLE shelf_day (
  country LowCardinality(String), category_id Int32, retailer_id Int32, day Date, first_second Int32, last_second Int32
) ENGINE = MergeTree ORDER BY (country, category_id, retailer_id, day);

-- One row, written last: the shard is complete. Statements compare it with the tables; `hashes` are those of the snapshot's files.
CREATE TABLE shard (
  manifest_sha256 String, cluster String, shard UInt32, shards UInt32, counts Map(String, UInt64),
  hashes Map(String, String)
) ENGINE = MergeTree ORDER BY shard;
