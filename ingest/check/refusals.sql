-- in: quarantine out:
-- The refused rows by code, the most frequent first, each with its first one.
SELECT code, count(*)::DOUBLE AS rows,
  arg_min({'file': file, 'line': line::DOUBLE, 'field': field, 'value': value}, (file, line)) AS example
FROM quarantine GROUP BY code ORDER BY rows DESC, code;
