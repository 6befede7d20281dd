-- Twenty hexadecimal digits as sixteen of RFC 4648's base 32, whose digits are not those of numbers.
CREATE TEMP MACRO base32(in_hex) AS
  translate(to_base(('0x' || in_hex[:10])::BIGINT, 32, 8) || to_base(('0x' || in_hex[11:])::BIGINT, 32, 8),
    '0123456789ABCDEFGHIJKLMNOPQRSTUV', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');

-- A value with when it was said: the greatest of several is the newest. Null where nothing was said.
CREATE TEMP MACRO at_time(in_at, in_value) AS
  CASE WHEN in_value IS NOT NULL THEN {'at': in_at, 'value': in_value} END;

-- A title that may speak of a condition; most do not, and need not be read.
CREATE TEMP MACRO telling_title(in_title) AS
  CASE WHEN regexp_matches(in_title, getvariable('condition_hint'), 'i') THEN in_title END;
