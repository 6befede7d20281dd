-- in: out:
-- The settings of a refresh's working database. The order of a query's rows is that of what it reads.
SET TimeZone = 'UTC';
SET parquet_metadata_cache = true;
SET preserve_insertion_order = true;
SET enable_progress_bar = false;
