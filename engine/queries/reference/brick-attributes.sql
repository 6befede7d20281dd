-- The attributes of each brick asked for, in its order, with the values they may have.
WITH asked AS (
  SELECT row_number() OVER ()::INTEGER AS place, brick_code
  FROM (SELECT unnest(string_split($brick_codes::VARCHAR, ',')) AS brick_code)
), described AS (
  SELECT brick_code,
         list({name: title, allowed_values: value_titles, value_count: len(value_titles)::INTEGER} ORDER BY ordinal)
           AS attributes
  FROM gpc_attribute SEMI JOIN asked USING (brick_code)
  GROUP BY brick_code
)
SELECT place, coalesce(attributes, []) AS attributes
FROM asked LEFT JOIN described USING (brick_code)
ORDER BY place
