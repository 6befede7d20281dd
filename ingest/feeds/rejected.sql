-- The lines that the reader of text could not split, where there was one.
CREATE OR REPLACE TEMP TABLE rejected AS
SELECT line, any_value(csv_line) AS source, row_number() OVER (ORDER BY line) AS place
FROM reject_errors GROUP BY line;
DROP TABLE reject_errors;
DROP TABLE reject_scans;
