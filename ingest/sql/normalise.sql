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
      THEN from_local(try_strptime(words(in_text), getvariable('file')['timestamp_format']))
    WHEN ends_with(in_text, 'Z') THEN TRY_CAST(in_text AS TIMESTAMP)
    WHEN regexp_matches(in_text, ':\d\d(\.\d+)? ?([+-]\d\d(:?\d\d)?|z)$')
      THEN timezone('UTC', TRY_CAST(upper(in_text) AS TIMESTAMPTZ))
    ELSE from_local(TRY_CAST(upper(in_text) AS TIMESTAMP))
  END;

-- Lists of five and more would become joins, worked out for every row.
CREATE TEMP MACRO yes_no(in_text) AS
  CASE
    WHEN in_text IN ('false', '0') THEN false
    WHEN in_text IN ('true', '1') THEN true
    WHEN key(in_text) IN ('true', 'yes', 'y', 't') THEN true
    WHEN key(in_text) IN ('false', 'no', 'n', 'f') THEN false
  END;

-- An availability of Google Merchant or schema.org, a yes or no, or a count of units.
CREATE TEMP MACRO stocked(in_text) AS
  CASE
    WHEN in_text = 'in_stock' THEN true
    WHEN in_text = 'out_of_stock' THEN false
    WHEN in_text IS NULL THEN NULL
    ELSE CASE regexp_replace(regexp_replace(lower(in_text), '^https?://schema\.org/', ''), '[^a-z0-9]', '', 'g')
      WHEN 'instock' THEN true
      WHEN 'limited' THEN true
      WHEN 'limitedavailability' THEN true
      WHEN 'lowstock' THEN true
      WHEN 'outofstock' THEN false
      WHEN 'soldout' THEN false
      WHEN 'preorder' THEN false
      WHEN 'backorder' THEN false
      WHEN 'discontinued' THEN false
      ELSE coalesce(yes_no(in_text), TRY_CAST(in_text AS INTEGER) > 0)
    END
  END;

-- A missing currency, and a bare dollar sign, is the country's.
CREATE TEMP MACRO is_currency(in_text, in_country) AS
  CASE in_text WHEN 'USD' THEN in_country = 'us' WHEN 'CAD' THEN in_country = 'ca'
    ELSE CASE coalesce(upper(words(in_text)), '$') WHEN '$' THEN true
      WHEN 'USD' THEN in_country = 'us' WHEN 'US$' THEN in_country = 'us'
      WHEN 'CAD' THEN in_country = 'ca' WHEN 'CA$' THEN in_country = 'ca' WHEN 'C$' THEN in_country = 'ca'
      ELSE false END END;

-- Whether a text that is there said nothing usable.
CREATE TEMP MACRO is_lost(in_text, in_value) AS
  in_value IS NULL AND in_text IS NOT NULL AND words(in_text) IS NOT NULL;

CREATE TEMP MACRO why_lost(in_number) AS
  CASE WHEN in_number IS NULL THEN 'not_a_number' ELSE 'out_of_range' END;

-- A list written as JSON, or with bars between.
CREATE TEMP MACRO listed(in_text) AS
  CASE WHEN in_text LIKE '[%]' THEN list_filter(list_transform(
         string_split(trim(in_text, '[]'), ','), lambda entry: trim(entry, E' "\'')), lambda entry: entry <> '')
       ELSE coalesce(list_filter(list_transform(string_split(in_text, '|'), lambda entry: trim(entry)),
         lambda entry: entry <> ''), []) END;
