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
