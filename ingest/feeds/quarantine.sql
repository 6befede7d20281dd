-- Rows of one staged file that break a rule. `line` counts the heading and every record before, so it is the physical
-- line unless a quoted text before it spans several, or a line is blank.
INSERT INTO quarantine
WITH faulty AS (
  SELECT file_row_number AS rows_before, fault, remark
  FROM read_parquet(getvariable('file')['staged'], file_row_number = true) WHERE fault IS NOT NULL
),
-- A line that could not be split is not staged: those before a row push it down.
shift AS (
  SELECT line - getvariable('file')['heading_lines']::INTEGER - place AS rows_before, max(place) AS place
  FROM rejected GROUP BY ALL
),
refused AS (
  SELECT getvariable('file')['heading_lines']::INTEGER + faulty.rows_before + 1 + coalesce(place, 0) AS line,
    fault AS code, field, remark AS value
  FROM faulty ASOF LEFT JOIN shift ON faulty.rows_before >= shift.rows_before JOIN fault_field USING (fault)
  UNION ALL
  SELECT line, 'ROW_MALFORMED', NULL, source FROM rejected
)
SELECT getvariable('file')['number']::INTEGER, line, code, field, left(value, 500) FROM refused;
