-- in: $source, fault_field out: quarantine
-- The refused rows of a Parquet file of another feed than price_observations, with their numbers in it from 1.
INSERT INTO quarantine
SELECT file, row + 1, refused.fault, field, left(remark, 500)
FROM (SELECT * REPLACE (fault::VARCHAR AS fault) FROM query_table(getvariable('source')['rows'])) AS refused
JOIN fault_field USING (fault);
