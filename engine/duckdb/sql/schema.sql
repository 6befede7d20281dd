-- The tables of a snapshot (data/README.md); the variable `snapshot` is its folder.
CREATE VIEW observation AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/observations/*/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR, 'month': VARCHAR});

CREATE VIEW listing_month AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/listing_months/*/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR, 'year': VARCHAR});

CREATE VIEW observation_time AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/observation_times/*/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR, 'month': VARCHAR});

CREATE VIEW listing_day AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/listing_days/*/*/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR, 'year': VARCHAR, 'block': VARCHAR});

CREATE VIEW listing AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/listings/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW shelf_day AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/shelf_days/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW shelf_month AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/shelf_months/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW department_day AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/department_days/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW listing_size AS SELECT * FROM read_parquet(getvariable('snapshot') || '/listing_sizes.parquet');
CREATE VIEW match AS SELECT * FROM read_parquet(getvariable('snapshot') || '/matches.parquet');
CREATE VIEW match_weight AS SELECT * FROM read_parquet(getvariable('snapshot') || '/match_weights.parquet');
CREATE VIEW category AS SELECT * FROM read_parquet(getvariable('snapshot') || '/categories.parquet');
CREATE VIEW brand AS SELECT * FROM read_parquet(getvariable('snapshot') || '/brands.parquet');
CREATE VIEW retailer AS SELECT * FROM read_parquet(getvariable('snapshot') || '/retailers.parquet');
