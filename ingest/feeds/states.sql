-- What the words of a feed mean: stock, promotion, currency, lists; null where they mean nothing.

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
