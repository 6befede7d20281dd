-- in: $latest_time out:
-- Conversions of words, lists and counts; null for invalid texts.

-- What words mean is looked up in maps: a CASE repeats the expression that it compares in each of its branches.
CREATE TEMP MACRO yes_no(in_text) AS
  CASE
    WHEN in_text IN ('false', '0') THEN false
    WHEN in_text IN ('true', '1') THEN true
    ELSE MAP {'true': true, 'yes': true, 'y': true, 't': true, 'false': false, 'no': false, 'n': false, 'f': false}[key(in_text)]
  END;

-- An availability of Google Merchant or schema.org, a yes or no, or a count of units.
CREATE TEMP MACRO stocked(in_text) AS
  CASE
    WHEN in_text = 'in_stock' THEN true
    WHEN in_text = 'out_of_stock' THEN false
    WHEN in_text IS NULL THEN NULL
    ELSE coalesce(
      MAP {'instock': true, 'limited': true, 'limitedavailability': true, 'lowstock': true, 'outofstock': false, 'soldout': false,
        'preorder': false, 'backorder': false, 'discontinued': false}[
        regexp_replace(regexp_replace(lower(in_text), '^https?://schema\.org/', ''), '[^a-z0-9]', '', 'g')],
      yes_no(in_text), TRY_CAST(in_text AS INTEGER) > 0)
  END;

-- A list as JSON, or separated by bars.
CREATE TEMP MACRO listed(in_text) AS
  CASE WHEN in_text LIKE '[%]' THEN list_filter(list_transform(
         string_split(trim(in_text, '[]'), ','), lambda entry: trim(entry, E' "\'')), lambda entry: entry <> '')
       ELSE coalesce(list_filter(list_transform(string_split(in_text, '|'), lambda entry: trim(entry)),
         lambda entry: entry <> ''), []) END;

-- A count such as views, within plausible limits; null for anything else.
CREATE TEMP MACRO counted(in_text) AS
  CASE WHEN TRY_CAST(in_text AS BIGINT) BETWEEN 0 AND 999999999999 THEN TRY_CAST(in_text AS BIGINT) END;

-- Times that no observation can have: before 1990, or more than a day after the time of the refresh.
CREATE TEMP MACRO is_too_early(in_time) AS in_time < TIMESTAMP '1990-01-01';
CREATE TEMP MACRO is_in_future(in_time) AS in_time > getvariable('latest_time')::TIMESTAMP;

-- Decodes HTML entities, which exports of shops contain: those with a number below 50,000, and the common names.
CREATE TEMP MACRO html_unescaped(in_text) AS
  CASE WHEN contains(in_text, '&')
    THEN replace(replace(replace(replace(replace(replace(replace(
      list_reduce(list_prepend(in_text, regexp_extract_all(in_text, '&#(?:[0-9]{2,4}|[1-4][0-9]{4});')),
        lambda decoded, entity: replace(decoded, entity, chr(entity[3:-2]::INTEGER))),
      '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&apos;', ''''), '&#x27;', ''''), '&nbsp;', ' '), '&amp;', '&')
    ELSE in_text END;

-- Whether a name begins with a brand and ends or breaks there: `Seasonic` does not begin with `Sea`.
CREATE TEMP MACRO begins_with(in_name, in_brand) AS
  starts_with(in_name, lower(in_brand)) AND NOT regexp_matches(in_name[length(in_brand) + 1], '[\p{L}\p{N}]');

-- The brand that begins a name: the longest of those that the mapping lists, else the first word if it lists `*`.
-- `in_prefixes` has them by their first words.
CREATE TEMP MACRO brand_in(in_name, in_prefixes) AS coalesce(
  list_filter(in_prefixes[regexp_extract(lower(in_name), '^[\p{L}\p{N}]*')],
    lambda brand: begins_with(lower(in_name), brand))[1],
  CASE WHEN in_prefixes['*'] IS NOT NULL THEN regexp_extract(in_name, '^\S+') END);

-- Whether a text or an out-of-range value has no usable value, and why.
CREATE TEMP MACRO is_lost(in_text, in_any, in_value) AS
  in_value IS NULL AND (in_any IS NOT NULL OR in_text IS NOT NULL AND words(in_text) IS NOT NULL);

CREATE TEMP MACRO why_lost(in_number) AS
  CASE WHEN in_number IS NULL THEN 'not_a_number' ELSE 'out_of_range' END;

-- The same of a price that is only described.
CREATE TEMP MACRO why_price_lost(in_text, in_price, in_is_finer) AS
  CASE WHEN in_price BETWEEN 1 AND 99999999 THEN CASE WHEN in_is_finer THEN 'too_fine' END
    WHEN is_lost(in_text, in_price, NULL) THEN why_lost(in_price) END;
