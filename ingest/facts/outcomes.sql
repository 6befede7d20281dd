-- in: duplicate, cell, quarantine out:
-- The outcome of the rows of each file; file 0 has the days to which change points were carried.
SELECT file, 'same_key' AS kind, NULL AS name, sum(rows)::DOUBLE AS rows FROM duplicate WHERE kind = 'same_key' GROUP BY file
UNION ALL
SELECT file, 'same_day', NULL, sum(rows)::DOUBLE FROM duplicate WHERE kind = 'same_day' GROUP BY file
UNION ALL
SELECT 0, 'carried', NULL, sum(rows)::DOUBLE FROM cell WHERE file = 0 GROUP BY file
UNION ALL
SELECT file, 'quarantined', code, count(*)::DOUBLE FROM quarantine GROUP BY file, code
UNION ALL
SELECT file, 'dropped', value, sum(rows)::DOUBLE
FROM (SELECT file, rows, unnest(string_split(dropped, ' ')) AS value FROM cell WHERE dropped IS NOT NULL)
GROUP BY file, value
ORDER BY file, kind, name;
