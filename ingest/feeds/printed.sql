-- in: $marks_from, $marks_to, $sign_units out:
-- Prices as they are printed, with the marks of their currencies; null for invalid texts.

-- A number or a time with plain digits and marks in place of those of other scripts: `۲٬۵۰۰`. Most texts have no others.
CREATE TEMP MACRO plain_marks(in_text) AS
  CASE WHEN strlen(in_text) = length(in_text) OR NOT regexp_matches(in_text, '[' || getvariable('marks_from') || ']') THEN in_text
    ELSE translate(in_text, getvariable('marks_from'), getvariable('marks_to')) END;

-- A whole number, with a digit of any script.
CREATE TEMP MACRO whole_number(in_text) AS coalesce(TRY_CAST(in_text AS INTEGER), TRY_CAST(plain_marks(in_text) AS INTEGER));

-- A price without marks of footnotes, and without what it is for, if that is one piece or unit: `62.22/Kg`, `$1.99 per lb`.
CREATE TEMP MACRO without_unit(in_text) AS
  CASE WHEN regexp_full_match(in_text, '[^\pL/*†]*') THEN plain_marks(in_text)
    ELSE regexp_replace(regexp_replace(plain_marks(in_text), '\s*[*†]+\s*$', ''), '\s*(?:/|\bper\s)\s*\pL{1,8}\.?\s*$|\s+(?:each|ea)\.?\s*$', '', 'i') END;

-- The marks before and after the number of a printed price, in upper case; empty for cents and without any.
CREATE TEMP MACRO marks_of(in_text) AS
  CASE WHEN regexp_full_match(in_text, '\$?[\d.,]+') THEN CASE WHEN in_text[1] = '$' THEN '$' ELSE '' END
    ELSE trim(regexp_replace(replace(upper(in_text), '¢', ''), '\.?\d[\d\s.,'']*|[\s,'']+', ' ', 'g')) END;

-- Whether each mark of a price may mean the currency of a country, or where that is not known any currency.
CREATE TEMP MACRO are_marks_of(in_marks, in_country) AS
  CASE WHEN in_marks = '' OR in_marks = '$' AND in_country IN ('us', 'ca') THEN true
    ELSE len(list_filter(string_split(in_marks, ' '), lambda mark: NOT coalesce(
      contains(currencies_of(mark), coalesce(currency_of(in_country), '')), false))) = 0 END;

-- Whether what surrounds the number of a price is nothing but currencies. A macro repeats its arguments: the marks are those
-- of a column, where naming them by `marks_of` would make an expression that takes seconds to plan.
CREATE TEMP MACRO is_marked(in_marks) AS
  in_marks = '' OR in_marks = '$'
    OR len(list_filter(string_split(in_marks, ' '), lambda mark: currencies_of(mark) IS NULL)) = 0;

-- The number of a printed price as plain text, with a decimal comma: `4,99 $`, `1 299,00 €`, `R$ 1.299,00`.
CREATE TEMP MACRO comma_number(in_text, in_marks) AS
  CASE WHEN regexp_full_match(in_text,
      '[^\d,]*(?:\d{1,3}(?:[ .'']\d{3})+|\d+)(?:,\d+)?[^\d,]*') AND is_marked(in_marks)
    THEN replace(regexp_replace(in_text, '[^0-9,]', '', 'g'), ',', '.') END;

-- The same with a decimal point: `$3.45`, `1,959`, `97¢`, `59,400円`, `Rs. 1,25,000` and, with two digits after its
-- comma, `4,99 $`; null for what is not one price: `2 for $7`.
CREATE TEMP MACRO printed_number(in_text, in_marks) AS
  CASE
    WHEN regexp_full_match(in_text, '\s*\d+(?:\.\d+)?\s*¢\s*')
      THEN (TRY_CAST(trim(in_text, E' \t\r\n¢') AS DECIMAL(18, 0)) / 100)::DECIMAL(18, 2)::VARCHAR
    WHEN NOT is_marked(in_marks) THEN NULL
    WHEN regexp_full_match(in_text,
        '(?:[^\d.,]|\pL\.)*(?:\d{1,3}(?:[, '']\d{2,3})*[, '']\d{3}|\d+|)(?:\.\d+)?(?:[^\d,.]|\pL\.)*\.?\s*')
      THEN nullif(trim(regexp_replace(regexp_replace(in_text, '\pL\.', '', 'g'), '[^0-9.]', '', 'g')), '')
    WHEN regexp_full_match(in_text, '.*,\d\d\D*') THEN comma_number(in_text, in_marks)
  END;

-- A number in units of its currency, which some words count several of: `25,000 Toman` are 250,000 rials.
CREATE TEMP MACRO in_units(in_number, in_text, in_marks) AS
  CASE WHEN regexp_full_match(in_text, '\PL*') THEN in_number
    ELSE coalesce((TRY_CAST(in_number AS DECIMAL(18, 3))
      * getvariable('sign_units')[trim(in_marks, '. ')]::INTEGER)::VARCHAR, in_number) END;
