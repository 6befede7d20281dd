-- The search index (data/README.md).
CREATE VIEW search_word AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/search_words/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW search_posting AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/search_postings/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW search_key AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/search_keys/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW search_listing AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/search_listings/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});
