-- in: $countries, $country_currency, $country_max_price, $currency_digits, $sign_currencies out:
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

-- Conversions of countries, currencies and prices; null for invalid texts. The first form that a macro checks is that of
-- most texts, and much cheaper than the others.
CREATE TEMP MACRO country_key(in_text) AS
  CASE in_text WHEN 'us' THEN 'us' WHEN 'ca' THEN 'ca'
    ELSE CASE WHEN length(key(in_text)) = 2 AND contains(getvariable('countries'), ' ' || key(in_text) || ' ') THEN key(in_text)
    END END;

CREATE TEMP MACRO currency_of(in_country) AS getvariable('country_currency')[in_country];

-- The currencies that a code or a sign may mean, separated by spaces. DuckDB copies a map into every expression that
-- names it, which takes milliseconds: it is named once, here and by `is_currency`.
CREATE TEMP MACRO currencies_of(in_text) AS getvariable('sign_currencies')[trim(upper(in_text), E'. \t\r\n')];

-- The decimals of the currency that a text states, where a country's are not known.
CREATE TEMP MACRO currency_decimals(in_text) AS coalesce(getvariable('currency_digits')[currencies_of(in_text)]::INTEGER, 2);

-- Whether a currency is that of a country. That of a known country need not be stated; another one must be unambiguous.
CREATE TEMP MACRO is_currency(in_text, in_country) AS
  CASE WHEN in_text = 'USD' AND in_country = 'us' OR in_text = 'CAD' AND in_country = 'ca' THEN true
    WHEN words(in_text) IS NULL THEN currency_of(in_country) IS NOT NULL
    ELSE currencies_of(in_text) LIKE coalesce('%' || currency_of(in_country) || '%', '___') END;

CREATE TEMP MACRO is_storable(in_price, in_country) AS
  CASE WHEN in_price <= 99999999 THEN in_price >= 1
    ELSE in_price <= coalesce(getvariable('country_max_price')[in_country]::BIGINT, 2147483647) END;

-- Decimals are rounded half away from zero.
CREATE TEMP MACRO minor_units(in_decimals) AS
  CASE in_decimals WHEN 2 THEN 100 WHEN 0 THEN 1 WHEN 1 THEN 10 WHEN 3 THEN 1000 ELSE 10000 END;
CREATE TEMP MACRO stored_amount(in_amount, in_decimals) AS (in_amount * minor_units(in_decimals))::BIGINT;

-- The cast to two decimal places rounds the text itself, and once. Seven digits before the point are mostly enough, and
-- half as expensive as more.
CREATE TEMP MACRO stored_price(in_text, in_decimals) AS
  coalesce(CASE WHEN in_decimals = 2 THEN (TRY_CAST(in_text AS DECIMAL(9, 2)) * 100)::BIGINT END,
    stored_amount(TRY_CAST(in_text AS DECIMAL(18, 4)), in_decimals));

-- Whether a price has more decimals than are stored; a ten thousandth of the smallest unit is noise of computing.
CREATE TEMP MACRO is_finer(in_text, in_decimals) AS
  CASE WHEN contains(in_text, '.') AND length(in_text) - instr(in_text, '.') > in_decimals
    THEN coalesce(abs(TRY_CAST(in_text AS DOUBLE) * minor_units(in_decimals)
      - round(TRY_CAST(in_text AS DOUBLE) * minor_units(in_decimals))) > 0.0001, false)
    ELSE false END;
