-- No row: what a feed without files stages, so that every step finds its columns.
CREATE OR REPLACE TEMP VIEW raw AS
SELECT {'(absent)': NULL::VARCHAR} AS line, false AS malformed, NULL::VARCHAR AS source
WHERE false;
