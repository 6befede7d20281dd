-- in: $source, fault_field out: cell, quarantine
-- Counts the rows of a source of another feed than price_observations by what becomes of them, and puts the refused ones
-- of Parquet into the quarantine; those of text are given their lines first.
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
