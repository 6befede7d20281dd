-- Ten hexadecimal digits as eight of RFC 4648's base 32.
CREATE TEMP MACRO base32(in_hex) AS
  translate(to_base(('0x' || in_hex)::BIGINT, 32, 8), '0123456789ABCDEFGHIJKLMNOPQRSTUV',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');

-- A value with when it was said: the greatest of several is the newest. Null where nothing was said.
CREATE TEMP MACRO at_time(in_at, in_value) AS
  CASE WHEN in_value IS NOT NULL THEN {'at': in_at, 'value': in_value} END;
