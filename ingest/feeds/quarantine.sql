-- name: quarantine
-- in: $source, line_shift, line_text, fault_field out: quarantine
-- The refused rows of text files, each with its first line. Its number differs from that of the record because of lines that
-- were rejected before reading, headers, blank lines and records of several lines.
INSERT INTO quarantine
SELECT refused.file, record + coalesce(line_offset, 0), fault, field, left(coalesce(remark, text), 500)
FROM (
  SELECT file, row + 1 AS record, fault::VARCHAR AS fault, remark
  FROM query_table(getvariable('source')['rows']) WHERE fault IS NOT NULL
) AS refused
LEFT JOIN line_text USING (file, record)
ASOF LEFT JOIN line_shift ON refused.file = line_shift.file AND refused.record > line_shift.records
JOIN fault_field USING (fault);

-- name: quarantine-file
-- in: quarantine, feed_file, $lake out: quarantine.jsonl
COPY (
  SELECT name AS file, line, code, field, value
  FROM quarantine JOIN feed_file ON feed_file.number = quarantine.file
  ORDER BY name, line
) TO (getvariable('lake')['quarantine']) (FORMAT json);
