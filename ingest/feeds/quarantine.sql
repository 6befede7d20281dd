-- name: quarantine
-- in: refused_row, line_shift, line_text, fault_field, $source out: quarantine
-- The refused rows of one text file, each with its first line. Its number differs from that of the record because of
-- lines that were rejected before reading, blank lines and records of several lines.
INSERT INTO quarantine
SELECT getvariable('source')['file']::INTEGER,
  refused_row.record + coalesce(line_offset, getvariable('source')['header_lines']::INTEGER), fault, field,
  left(coalesce(remark, text), 500)
FROM refused_row
LEFT JOIN line_text USING (record)
ASOF LEFT JOIN line_shift ON refused_row.record > line_shift.records
JOIN fault_field USING (fault);

-- name: quarantine-file
-- in: quarantine, feed_file, $lake out: quarantine.jsonl
COPY (
  SELECT name AS file, line, code, field, value
  FROM quarantine JOIN feed_file ON feed_file.number = quarantine.file
  ORDER BY name, line
) TO (getvariable('lake')['quarantine']) (FORMAT json);
