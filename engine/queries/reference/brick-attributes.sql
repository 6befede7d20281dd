SELECT DISTINCT brick_code, coalesce(attributes, '[]') AS attributes
FROM (SELECT unnest(string_split($brick_codes::VARCHAR, ',')) AS brick_code) LEFT JOIN brick_attributes USING (brick_code)
