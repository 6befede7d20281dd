-- in: out:
-- The rows of one source of official_series, each with the first rule it breaks. A period is a month.
CREATE TEMP MACRO checked_official(in_source) AS TABLE
WITH keyed AS (
  SELECT * REPLACE (platform_key(source_text) AS source, country_key(country_text) AS country,
    coalesce(period, try_strptime(words(period_text), '%Y-%m')::DATE) AS period)
  FROM query_table(in_source)
),
checked AS (
  SELECT *,
    CASE
      WHEN malformed THEN 'ROW_MALFORMED'
      WHEN source IS NULL THEN 'SOURCE_INVALID'
      WHEN series IS NULL OR NOT regexp_full_match(series, '[A-Za-z0-9][A-Za-z0-9._-]{0,63}') THEN 'SERIES_INVALID'
      WHEN country IS NULL THEN 'COUNTRY_UNKNOWN'
      WHEN period IS NULL OR NOT isfinite(period) OR day(period) > 1 THEN 'PERIOD_INVALID'
      WHEN value IS NULL OR value <= 0 THEN 'VALUE_INVALID'
      WHEN released_on IS NULL AND words(released_on_text) IS NULL THEN 'RELEASED_ON_MISSING'
      WHEN released_on IS NULL OR NOT isfinite(released_on) THEN 'RELEASED_ON_INVALID'
      WHEN released_on < period THEN 'RELEASED_BEFORE_PERIOD'
      WHEN is_in_future(released_on) THEN 'RELEASED_IN_FUTURE'
    END AS fault
  FROM keyed
)
SELECT file, row, source, series, country, period, value, released_on, title, unit, fault::fault AS fault,
  CASE
    WHEN fault = 'SOURCE_INVALID' THEN source_text
    WHEN fault = 'SERIES_INVALID' THEN series_text
    WHEN fault = 'COUNTRY_UNKNOWN' THEN country_text
    WHEN fault = 'PERIOD_INVALID' THEN period_text
    WHEN fault = 'VALUE_INVALID' THEN value_text
    WHEN starts_with(fault, 'RELEASED') THEN released_on_text
  END AS remark
FROM checked;
