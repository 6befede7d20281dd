-- Values left out of rows that are kept, by column and reason.
WITH dropped AS (
  SELECT unnest(string_split(remark, ' ')) AS value
  FROM read_parquet(getvariable('file')['staged']) WHERE remark IS NOT NULL AND fault IS NULL
)
SELECT split_part(value, ':', 1) AS field, split_part(value, ':', 2) AS reason, count(*)::INTEGER AS count
FROM dropped GROUP BY ALL ORDER BY ALL;
