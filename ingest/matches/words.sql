-- in: match_offer, match_term out: match_word, match_token, match_profile, match_key, match_near, match_candidate
-- What a word is, how rare, and what an offer is compared by. Weights are whole numbers: sums of fractions depend on the
-- order of threads. Only words of several shops bring offers together.
CREATE TABLE distinct_term AS
SELECT offer, term, min(place) AS place FROM match_term GROUP BY ALL;

DROP TABLE match_term;

CREATE TABLE match_word AS
WITH counted AS (
  SELECT term, count(*) AS offers, min(shop) < max(shop) AS is_shared
  FROM distinct_term JOIN match_offer USING (offer) GROUP BY term
),
classed AS (
  SELECT *, coalesce(list_position(['oz', 'lb', 'lbs', 'g', 'kg', 'mg', 'ml', 'cl', 'l', 'ltr', 'litre', 'liter', 'gal', 'ct',
      'count', 'pk', 'pack', 'pc', 'in', 'ft', 'mm', 'cm', 'm', 'gb', 'tb', 'mb', 'mhz', 'ghz', 'hz', 'w', 'watt', 'v',
      'mah', 'mp', 'megapixel', 'x', 'k', 'p', 'port', 'cu'], regexp_extract(term, '^\d+(?:\.\d+)?([a-z]+)$', 1)), 0) AS unit
  FROM counted
)
SELECT term, offers::INTEGER AS offers, is_shared, row_number() OVER (ORDER BY term)::INTEGER AS token,
  term[1] = '~' AS is_stem,
  greatest(1, round(100 * ln((1 + (SELECT count(*) FROM match_offer)) / offers))
    // CASE WHEN term[1] = '~' THEN 2 ELSE 1 END)::INTEGER AS idf,
  CASE WHEN unit > 0 THEN 1::BIGINT << unit ELSE 0 END AS unit,
  regexp_full_match(term, '\d{1,4}(\.\d+)?') AS is_number,
  unit = 0 AND term[1] <> '~' AND length(term) >= 4 AND NOT contains(term, '.')
    AND (regexp_matches(term, '[a-z]') AND regexp_matches(term, '\d') OR regexp_full_match(term, '\d{5,}')) AS is_model,
  regexp_full_match(term, 'black|white|silver|red|blue|green|yellow|pink|purple|grey|gray|orange|brown|beige|gold|titanium|'
    || 'graphite|charcoal|champagne|violet|navy|cyan|magenta|ivory|teal|burgundy|cream|bronze|copper|schwarz|weiss|noir|'
    || 'blanc|rouge|bleu|vert|negro|blanco|rojo|azul|verde') AS is_colour
FROM classed;

CREATE TABLE match_token AS
SELECT offer, token, place, offers, idf, is_shared FROM distinct_term JOIN match_word USING (term);

DROP TABLE distinct_term;

CREATE TABLE match_profile AS
WITH summed AS (
  SELECT offer, sum(word.idf)::INTEGER AS weight, sqrt(sum(word.idf::BIGINT * word.idf)) AS norm,
    min_by(token, place) AS lead, count_if(is_model)::INTEGER AS models, count_if(is_number)::INTEGER AS numbers,
    count_if(is_colour)::INTEGER AS colours, bit_or(unit) AS units
  FROM match_token JOIN match_word AS word USING (token) GROUP BY offer
)
SELECT summed.*, shop, hash(entity_uid) AS entity, country, condition, nullif(price, 0) AS price, kind,
  size_milli, size_unit, total_milli,
  nullif(regexp_replace(lower(code), '[^\p{L}\p{N}]', '', 'g'), '') AS code,
  nullif(regexp_replace(lower(strip_accents(brand)), '[^\p{L}\p{N}]', '', 'g'), '') AS brand,
  regexp_replace(lower(strip_accents(title)), '[^\p{L}\p{N}]', '', 'g') AS said
FROM summed JOIN match_offer USING (offer);

-- The rarest words of each offer, by which others are looked up: at most six, each of at most 300 offers, that bring at
-- most 600 offers together. `others`: a bit for each other one that the offer has; words may share a bit. Returns the number
-- of offers.
CREATE TABLE match_key AS
WITH rare AS (
  SELECT offer, unnest(min({'offers': offers, 'token': token, 'idf': idf}, 6), recursive := true)
  FROM match_token WHERE is_shared AND offers <= 300 GROUP BY offer
),
rarest AS (
  SELECT offer, token, idf FROM rare
  QUALIFY sum(offers) OVER (PARTITION BY offer ORDER BY offers, token ROWS UNBOUNDED PRECEDING) <= 600
)
SELECT offer, token, idf::BIGINT * idf AS square, shop, condition, norm,
  bit_or(1::BIGINT << (token % 62)) OVER (
    PARTITION BY offer ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) AS others
FROM rarest JOIN match_profile USING (offer);

CREATE TABLE match_near (l INTEGER, r INTEGER, l_shop INTEGER, r_shop INTEGER, nearness DOUBLE);

CREATE TABLE match_candidate (l INTEGER, r INTEGER, l_shop INTEGER, r_shop INTEGER);

SELECT count(*)::INTEGER AS offers FROM match_profile;
