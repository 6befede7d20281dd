-- A count of views or the like, as people and platforms can make them; null for anything else.
CREATE TEMP MACRO counted(in_text) AS
  CASE WHEN TRY_CAST(in_text AS BIGINT) BETWEEN 0 AND 999999999999 THEN TRY_CAST(in_text AS BIGINT) END;

CREATE TEMP MACRO is_beyond(in_time) AS
  in_time IS NULL OR in_time < TIMESTAMP '1990-01-01' OR in_time >= TIMESTAMP '2100-01-01';
