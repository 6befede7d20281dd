-- Ten hexadecimal digits as eight of RFC 4648's base 32.
CREATE TEMP MACRO base32(in_hex) AS
  translate(to_base(('0x' || in_hex)::BIGINT, 32, 8), '0123456789ABCDEFGHIJKLMNOPQRSTUV', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');

CREATE TEMP MACRO newest(in_at, in_value) AS
  max({'at': in_at, 'value': in_value}) FILTER (WHERE in_value IS NOT NULL);
