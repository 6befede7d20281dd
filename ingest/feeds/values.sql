-- in: $latest_time out:
-- What texts of a feed mean: keys, prices, times, words, lists and counts; null where they mean nothing. Most texts are in
-- the first form a macro looks for, and looking is several times cheaper than converting.

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

-- A local time of a zone as UTC; UTC where no zone is given.
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

-- Comparisons with a list of five or more values become joins.
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

-- A list written as JSON, or with bars between.
CREATE TEMP MACRO listed(in_text) AS
  CASE WHEN in_text LIKE '[%]' THEN list_filter(list_transform(
         string_split(trim(in_text, '[]'), ','), lambda entry: trim(entry, E' "\'')), lambda entry: entry <> '')
       ELSE coalesce(list_filter(list_transform(string_split(in_text, '|'), lambda entry: trim(entry)),
         lambda entry: entry <> ''), []) END;

-- A count of views or the like, as people and platforms can produce them; null for anything else.
CREATE TEMP MACRO counted(in_text) AS
  CASE WHEN TRY_CAST(in_text AS BIGINT) BETWEEN 0 AND 999999999999 THEN TRY_CAST(in_text AS BIGINT) END;

-- A time that no observation can have: before 1990, or more than a day after the refresh began.
CREATE TEMP MACRO is_too_early(in_time) AS in_time < TIMESTAMP '1990-01-01';
CREATE TEMP MACRO is_in_future(in_time) AS in_time > getvariable('latest_time')::TIMESTAMP;

-- Names as marketplaces write them in exports of their trees.
CREATE TEMP MACRO html_unescaped(in_text) AS
  CASE WHEN contains(in_text, '&')
    THEN replace(replace(replace(replace(replace(replace(replace(in_text, '&lt;', '<'), '&gt;', '>'), '&quot;', '"'),
      '&apos;', ''''), '&#39;', ''''), '&nbsp;', ' '), '&amp;', '&')
    ELSE in_text END;

-- Whether a name begins with a brand and ends or breaks there: `Seasonic` does not begin with `Sea`.
CREATE TEMP MACRO begins_with(in_name, in_brand) AS
  starts_with(in_name, lower(in_brand)) AND NOT regexp_matches(in_name[length(in_brand) + 1], '[\p{L}\p{N}]');

-- The brand that begins a name: the longest of those that the mapping lists, else the first word where it lists `*`.
-- `in_prefixes` has them by their first words.
CREATE TEMP MACRO brand_in(in_name, in_prefixes) AS coalesce(
  list_filter(in_prefixes[regexp_extract(lower(in_name), '^[\p{L}\p{N}]*')],
    lambda brand: begins_with(lower(in_name), brand))[1],
  CASE WHEN in_prefixes['*'] IS NOT NULL THEN regexp_extract(in_name, '^\S+') END);

-- Whether what is there, as text or as a value out of range, gives no usable value, and why.
CREATE TEMP MACRO is_lost(in_text, in_any, in_value) AS
  in_value IS NULL AND (in_any IS NOT NULL OR in_text IS NOT NULL AND words(in_text) IS NOT NULL);

CREATE TEMP MACRO why_lost(in_number) AS
  CASE WHEN in_number IS NULL THEN 'not_a_number' ELSE 'out_of_range' END;
