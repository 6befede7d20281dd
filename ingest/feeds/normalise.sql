-- What the texts of a feed mean; null where they mean nothing. The variable `file` describes the file under way.

-- Trimmed, null when empty. Most texts are trimmed already, and looking is five times cheaper than trimming.
CREATE TEMP MACRO words(in_text) AS
  CASE WHEN ascii(in_text) > 32 AND NOT ends_with(in_text, ' ') AND NOT ends_with(in_text, E'\n')
         AND NOT ends_with(in_text, E'\r') AND NOT ends_with(in_text, E'\t') THEN in_text
       ELSE nullif(trim(in_text, E' \t\r\n'), '') END;

CREATE TEMP MACRO key(in_text) AS lower(words(in_text));

CREATE TEMP MACRO is_platform(in_text) AS regexp_full_match(in_text, '[a-z0-9][a-z0-9_-]{0,63}');

CREATE TEMP MACRO platform_key(in_text) AS
  CASE WHEN is_platform(in_text) THEN in_text WHEN is_platform(key(in_text)) THEN key(in_text) END;

CREATE TEMP MACRO country_key(in_text) AS
  CASE in_text WHEN 'us' THEN 'us' WHEN 'ca' THEN 'ca'
    ELSE CASE key(in_text) WHEN 'us' THEN 'us' WHEN 'ca' THEN 'ca' END END;

-- `$3.45`, `1,959` and `97¢`; null for what is not one price, such as `2 for $7`.
CREATE TEMP MACRO printed_cents(in_text) AS
  CASE
    WHEN regexp_full_match(in_text, '\s*(?:US|CA|C)?\$?\s*(?:\d{1,3}(?:,\d{3})+|\d+|)(?:\.\d+)?\s*')
      THEN (TRY_CAST(regexp_replace(in_text, '[^0-9.]', '', 'g') AS DECIMAL(18, 2)) * 100)::BIGINT
    WHEN regexp_full_match(in_text, '\s*\d+(?:\.\d+)?\s*¢\s*')
      THEN TRY_CAST(trim(in_text, E' \t\r\n¢') AS DECIMAL(18, 0))::BIGINT
  END;

-- Half away from zero: the cast to a decimal of two places rounds the text itself, and once. Seven digits before the
-- point are enough, and half as dear as more.
CREATE TEMP MACRO cents(in_text, in_scale) AS
  CASE in_scale
    WHEN 'cents' THEN TRY_CAST(in_text AS BIGINT)
    WHEN 'printed' THEN printed_cents(in_text)
    ELSE (TRY_CAST(in_text AS DECIMAL(9, 2)) * 100)::BIGINT
  END;

CREATE TEMP MACRO from_local(in_time) AS
  CASE WHEN getvariable('file')['timezone'] IS NULL THEN in_time
       ELSE timezone('UTC', timezone(getvariable('file')['timezone'], in_time)) END;

-- A cast to TIMESTAMP ignores an offset, one to TIMESTAMPTZ takes ten times as long.
CREATE TEMP MACRO instant(in_text) AS
  CASE
    WHEN getvariable('file')['timestamp_format'] IS NOT NULL
      THEN from_local(try_strptime(concat_ws(' ', getvariable('file')['year'], words(in_text)),
        getvariable('file')['timestamp_format']))
    WHEN ends_with(in_text, 'Z') THEN TRY_CAST(in_text AS TIMESTAMP)
    WHEN regexp_matches(in_text, ':\d\d(\.\d+)? ?([+-]\d\d(:?\d\d)?|z)$')
      THEN timezone('UTC', TRY_CAST(upper(in_text) AS TIMESTAMPTZ))
    ELSE from_local(TRY_CAST(upper(in_text) AS TIMESTAMP))
  END;
