-- The tables of a snapshot (data/README.md); the variable `snapshot` is its folder.
CREATE VIEW observation AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/observations/*/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR, 'month': VARCHAR});

CREATE VIEW listing_month AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/listing_months/*/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR, 'month': VARCHAR});

CREATE VIEW observation_time AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/observation_times/*/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR, 'month': VARCHAR});

CREATE VIEW listing AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/listings/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW shelf_day AS
SELECT * FROM read_parquet(getvariable('snapshot') || '/shelf_days/*/*.parquet',
  hive_partitioning = true, hive_types = {'country': VARCHAR});

CREATE VIEW category AS SELECT * FROM read_parquet(getvariable('snapshot') || '/categories.parquet');
CREATE VIEW brand AS SELECT * FROM read_parquet(getvariable('snapshot') || '/brands.parquet');
CREATE VIEW retailer AS SELECT * FROM read_parquet(getvariable('snapshot') || '/retailers.parquet');

-- Current listings: the latest observation before as_of and not older than since. Two schemas hold the same macro:
-- `latest` where as_of lies behind every observation, so that the listings table has the answer;
-- `past` where it does not, so that the observations must be asked.
-- A scope is an interval of categories and, where a GPC code is asked, one of product types too.
CREATE SCHEMA latest;
CREATE SCHEMA past;

CREATE MACRO latest.current_listing(
  in_country, in_first, in_last, in_since, in_before, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT * FROM listing
WHERE country = in_country AND category_id BETWEEN in_first AND in_last
  AND (in_gpc_first IS NULL OR gpc_id BETWEEN in_gpc_first AND in_gpc_last)
  AND last_day >= in_since AND last_day < in_before;

CREATE MACRO past.current_listing(
  in_country, in_first, in_last, in_since, in_before, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
WITH newest AS (
  SELECT listing_id, arg_max(price, day) AS price, arg_max_null(list_price, day) AS list_price,
         arg_max_null(promo_flag, day) AS promo_flag, arg_max_null(in_stock, day) AS in_stock,
         min(day) AS first_day, max(day) AS last_day
  FROM observation
  WHERE country = in_country AND category_id BETWEEN in_first AND in_last
    AND month BETWEEN strftime(in_since, '%Y-%m') AND strftime(in_before, '%Y-%m')
    AND day >= in_since AND day < in_before
  GROUP BY listing_id
), newest_time AS (
  SELECT listing_id, max(day + to_seconds(observed_second)) AS observed_at
  FROM observation_time
  WHERE country = in_country AND category_id BETWEEN in_first AND in_last
    AND month BETWEEN strftime(in_since, '%Y-%m') AND strftime(in_before, '%Y-%m')
    AND day >= in_since AND day < in_before
  GROUP BY listing_id
)
SELECT listing.* REPLACE (
  newest.price AS price, newest.list_price AS list_price, newest.promo_flag AS promo_flag,
  newest.in_stock AS in_stock, newest.first_day AS first_day, newest.last_day AS last_day,
  newest_time.observed_at AS observed_at, newest_time.observed_at AS scraped_at)
FROM listing JOIN newest USING (listing_id) JOIN newest_time USING (listing_id)
WHERE country = in_country AND category_id BETWEEN in_first AND in_last
  AND (in_gpc_first IS NULL OR gpc_id BETWEEN in_gpc_first AND in_gpc_last);

-- The listings of a product type, whose months have no column for it: types change with a release, months do not.
CREATE MACRO listing_of_type(in_country, in_gpc_first, in_gpc_last) AS TABLE
SELECT listing_id FROM listing WHERE country = in_country AND gpc_id BETWEEN in_gpc_first AND in_gpc_last;
