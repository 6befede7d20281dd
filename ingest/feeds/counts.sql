-- name: count-observations
-- in: $source, $observed_attributes, fault_field out: cell, refused_in_place, quarantine, sightings.parquet
-- Counts the rows of a source of price_observations by file, retailer, month and fault. In the same scan each refused
-- row is a separate group; those of Parquet go to the quarantine here, those of text after their lines are found. The
-- same scan also finds when each listing was last observed with each combination of attributes.
CREATE OR REPLACE TEMP TABLE counted AS
SELECT file, platform, country, listing_id, year(observed_at) * 100 + month(observed_at) AS month, is_sound,
  CASE WHEN NOT is_sound THEN row END AS row, CASE WHEN NOT is_sound THEN fault END::VARCHAR AS fault, remark,
  COLUMNS(lambda name: list_contains(getvariable('observed_attributes'), name)) IS NOT NULL,
  count(*) AS rows, max(observed_at) AS observed_at
FROM query_table(getvariable('source')['rows']) GROUP BY ALL;

INSERT INTO cell
SELECT file, platform, country, month, fault, CASE WHEN is_sound THEN remark END, sum(rows)
FROM counted GROUP BY ALL;

INSERT INTO refused_in_place
SELECT file, row FROM counted WHERE row IS NOT NULL AND getvariable('source')['format'] = 'parquet';

INSERT INTO quarantine
SELECT file, row + 1, fault, field, left(remark, 500) FROM counted JOIN fault_field USING (fault)
WHERE row IS NOT NULL AND getvariable('source')['format'] = 'parquet';

COPY (
  SELECT country, platform, listing_id AS product_id,
    COLUMNS(lambda name: list_contains(getvariable('observed_attributes'), name)), max(observed_at) AS observed_at
  FROM counted WHERE is_sound GROUP BY ALL
) TO (getvariable('source')['sightings_to']) (FORMAT parquet, COMPRESSION lz4_raw);

SELECT file, sum(rows)::DOUBLE AS rows, count(DISTINCT (country, month)) FILTER (is_sound)::INTEGER AS months,
  coalesce(sum(rows) FILTER (NOT is_sound), 0)::DOUBLE AS faults
FROM counted GROUP BY file;

-- name: count-rows
-- in: $source, fault_field out: cell, quarantine
-- Counts the rows of a source of a feed other than price_observations by their outcome, and puts the refused rows of
-- Parquet into the quarantine; those of text follow after their lines are found.
INSERT INTO cell
SELECT file, NULL, NULL, NULL, fault::VARCHAR, CASE WHEN fault IS NULL THEN remark END, count(*)
FROM query_table(getvariable('source')['rows']) GROUP BY ALL;

INSERT INTO quarantine
SELECT file, row + 1, refused.fault, field, left(remark, 500)
FROM (SELECT * REPLACE (fault::VARCHAR AS fault) FROM query_table(getvariable('source')['rows'])) AS refused
JOIN fault_field USING (fault)
WHERE getvariable('source')['format'] = 'parquet';

SELECT coalesce(sum(rows) FILTER (fault IS NOT NULL), 0)::DOUBLE AS faults FROM cell
WHERE file = getvariable('source')['file']::INTEGER;

-- name: found-prices
-- in: cell, feed_file out: cell
-- The currencies of the countries that were not known before their rows were read, which note them among their dropped
-- values: they are taken from there.
CREATE OR REPLACE TEMP TABLE found AS
SELECT DISTINCT file, country, currencies_of(regexp_extract(dropped, 'currency=(\S+)', 1)) AS currency
FROM cell WHERE contains(dropped, 'currency=');

UPDATE cell SET dropped = nullif(trim(regexp_replace(dropped, 'currency=\S+', '')), '')
WHERE contains(dropped, 'currency=');

SELECT name, country, currency FROM found JOIN feed_file ON number = file ORDER BY country, currency, name;
