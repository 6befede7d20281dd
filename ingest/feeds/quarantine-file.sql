-- in: quarantine, feed_file, $lake out: quarantine.jsonl
COPY (
  SELECT name AS file, line, code, field, value
  FROM quarantine JOIN feed_file ON feed_file.number = quarantine.file
  ORDER BY name, line
) TO (getvariable('lake')['quarantine']) (FORMAT json);
