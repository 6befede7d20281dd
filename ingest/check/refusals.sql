-- in: quarantine out:
-- The number of refused rows by code, the most frequent first, with the first row of each.
SELECT code, count(*)::DOUBLE AS rows,
  arg_min({'file': file, 'line': line::DOUBLE, 'field': field, 'value': value}, (file, line)) AS example
FROM quarantine GROUP BY code ORDER BY rows DESC, code;
