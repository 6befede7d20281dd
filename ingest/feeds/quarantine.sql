-- in: refused_row, line_shift, line_text, fault_field, $source out: quarantine
-- The refused rows of one text file, with the line each begins on. Lines that were set aside before the reader saw the
-- file, blank ones and records of several lines shift it from the row's place among the records.
INSERT INTO quarantine
SELECT getvariable('source')['file']::INTEGER,
  refused_row.record + coalesce(line_offset, getvariable('source')['header_lines']::INTEGER), fault, field,
  left(coalesce(remark, text), 500)
FROM refused_row
LEFT JOIN line_text USING (record)
ASOF LEFT JOIN line_shift ON refused_row.record > line_shift.records
JOIN fault_field USING (fault);
