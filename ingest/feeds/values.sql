-- in: out:
-- Conversions of keys, prices and times; null for invalid texts. Most texts have the first form that a macro checks,
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

CREATE TEMP MACRO country_key(in_text) AS
  CASE in_text WHEN 'us' THEN 'us' WHEN 'ca' THEN 'ca'
    ELSE CASE key(in_text) WHEN 'us' THEN 'us' WHEN 'ca' THEN 'ca' END END;

-- Half away from zero: the cast to two decimal places rounds the text itself, and once. Seven digits before the point
-- are enough, and half as expensive as more.
CREATE TEMP MACRO decimal_cents(in_text) AS (TRY_CAST(in_text AS DECIMAL(9, 2)) * 100)::BIGINT;

-- No-break, narrow no-break and thin spaces, which French price tags have between thousands, as plain ones.
CREATE TEMP MACRO plain_spaces(in_text) AS translate(in_text, chr(160) || chr(8239) || chr(8201), '   ');

-- `4,99 $` and `1 299,00 $`: a comma before the cents, spaces or points between thousands.
CREATE TEMP MACRO comma_cents(in_text) AS
  CASE WHEN regexp_full_match(plain_spaces(in_text),
      '\s*(?:CA?)?\$?\s*(?:\d{1,3}(?:[ .]\d{3})+|\d+)(?:,\d+)?\s*\$?\s*(?:CAD?)?\s*')
    THEN (TRY_CAST(replace(regexp_replace(plain_spaces(in_text), '[^0-9,]', '', 'g'), ',', '.') AS DECIMAL(18, 2))
      * 100)::BIGINT END;

-- `$3.45`, `1,959`, `97¢` and, with two digits after its comma, `4,99 $`; null for what is not one price: `2 for $7`.
CREATE TEMP MACRO printed_cents(in_text) AS
  CASE
    WHEN regexp_full_match(in_text, '\s*(?:US|CA|C)?\$?\s*(?:\d{1,3}(?:,\d{3})+|\d+|)(?:\.\d+)?\s*\$?\s*')
      THEN (TRY_CAST(regexp_replace(in_text, '[^0-9.]', '', 'g') AS DECIMAL(18, 2)) * 100)::BIGINT
    WHEN regexp_full_match(in_text, '\s*\d+(?:\.\d+)?\s*¢\s*')
      THEN TRY_CAST(trim(in_text, E' \t\r\n¢') AS DECIMAL(18, 0))::BIGINT
    WHEN regexp_full_match(in_text, '.*,\d\d\D*') THEN comma_cents(in_text)
  END;

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
