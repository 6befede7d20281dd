-- in: out:
-- Conversions of keys and times; null for invalid texts. Most texts have the first form that a macro checks,
-- and checking is several times cheaper than converting.

-- Trimmed, null when empty.
CREATE TEMP MACRO words(in_text) AS
  CASE WHEN ascii(in_text) > 32 AND NOT ends_with(in_text, ' ') AND NOT ends_with(in_text, E'\n')
         AND NOT ends_with(in_text, E'\r') AND NOT ends_with(in_text, E'\t') THEN in_text
       ELSE nullif(trim(in_text, E' \t\r\n'), '') END;

CREATE TEMP MACRO key(in_text) AS lower(words(in_text));

CREATE TEMP MACRO is_platform(in_text) AS regexp_full_match(in_text, '[a-z0-9][a-z0-9_-]{0,63}');

CREATE TEMP MACRO platform_key(in_text) AS
  CASE WHEN is_platform(in_text) THEN in_text WHEN is_platform(key(in_text)) THEN key(in_text) END;

-- A local time of a zone as UTC; UTC if no zone is given.
CREATE TEMP MACRO in_utc(in_time, in_zone) AS
  CASE WHEN in_zone IS NULL THEN in_time ELSE timezone('UTC', timezone(in_zone, in_time)) END;

-- A time of RFC 3339, or a date. A cast to TIMESTAMP ignores an offset, one to TIMESTAMPTZ takes ten times as long.
CREATE TEMP MACRO instant(in_text, in_zone) AS
  CASE
    WHEN ends_with(in_text, 'Z') THEN TRY_CAST(in_text AS TIMESTAMP)
    WHEN regexp_matches(in_text, ':\d\d(\.\d+)? ?([+-]\d\d(:?\d\d)?|z)$')
      THEN timezone('UTC', TRY_CAST(upper(in_text) AS TIMESTAMPTZ))
    ELSE in_utc(TRY_CAST(upper(in_text) AS TIMESTAMP), in_zone)
  END;
