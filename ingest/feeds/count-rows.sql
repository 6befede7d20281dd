-- in: $source out: cell
-- Counts the rows of a source of another feed than price_observations by what becomes of them.
INSERT INTO cell
SELECT file, NULL, NULL, NULL, fault::VARCHAR, CASE WHEN fault IS NULL THEN remark END, count(*)
FROM query_table(getvariable('source')['rows']) GROUP BY ALL;

SELECT coalesce(sum(rows) FILTER (fault IS NOT NULL), 0)::DOUBLE AS faults FROM cell
WHERE file = getvariable('source')['file']::INTEGER;
