-- Draws depend on the key, what is drawn and the seed only, never on threads or order. hash() of several values is an
-- XOR at its end: without the outer hash, two draws of one key would mirror each other.
CREATE MACRO bits(in_key, in_draw) AS hash(hash(in_key, in_draw, getvariable('seed')));
CREATE MACRO uniform(in_key, in_draw) AS (bits(in_key, in_draw) >> 11)::DOUBLE / 9007199254740992;
CREATE MACRO below(in_key, in_draw, in_bound) AS (bits(in_key, in_draw) % in_bound::UBIGINT)::BIGINT;
CREATE MACRO chance(in_key, in_draw, in_pct) AS below(in_key, in_draw, 10000) < in_pct * 100;
-- Box and Muller (1958).
CREATE MACRO gauss(in_key, in_draw) AS
  sqrt(-2 * ln(1 - uniform(in_key, in_draw))) * cos(2 * pi() * uniform(in_key, in_draw || ' angle'));
CREATE MACRO pick(in_list, in_key, in_draw) AS in_list[1 + below(in_key, in_draw, greatest(len(in_list), 1))];

CREATE MACRO split(in_list) AS string_split(in_list, '|');
CREATE MACRO slug(in_name) AS
  regexp_replace(replace(replace(lower(in_name), '''', ''), '&', 'and'), '[^a-z0-9]+', '-', 'g');

CREATE MACRO as_day(in_day) AS getvariable('first_day')::DATE + in_day::INTEGER;
CREATE MACRO as_money(in_cents) AS (in_cents * 0.01::DECIMAL(3, 2))::DECIMAL(12, 2);
CREATE MACRO as_time(in_timestamp) AS strftime(in_timestamp, '%Y-%m-%dT%H:%M:%SZ');

-- The highest price with a retailer's ending that is not above the sum, in cents: 3.49, 12.99, 249.99.
CREATE MACRO posted_price(in_cents, in_ending) AS greatest(19, CASE
  WHEN in_cents < 1000 THEN (in_cents + 1) // 10 * 10 - 1
  WHEN in_cents < 20000 THEN (in_cents - in_ending) // 100 * 100 + in_ending
  ELSE (in_cents + 1) // 1000 * 1000 - 1 END);

-- GS1 General Specifications 7.9: weights 3 and 1 from the right.
CREATE MACRO check_digit(in_body) AS (10 - list_sum([
  substr(in_body, -position, 1)::INTEGER * CASE WHEN position % 2 = 1 THEN 3 ELSE 1 END
  FOR position IN range(1, len(in_body) + 1)]) % 10) % 10;

-- The member names of the official GPC file, `Childs` included.
CREATE MACRO gpc_node(in_level, in_code, in_title, in_definition, in_children) AS {
  'Level': in_level, 'Code': in_code::INTEGER, 'Title': in_title, 'Definition': in_definition,
  'DefinitionExcludes': NULL::VARCHAR, 'Active': true, 'Childs': in_children};
