-- name: shops
-- in: listing out: match_weight, likely_match, likely_listing
-- The tables of what is found, which stay empty where no two shops could have one product. Returns the number of shops, which
-- are retailers in a country.
CREATE TABLE match_weight (comparison VARCHAR, level INTEGER, weight INTEGER);

CREATE TABLE likely_match (country VARCHAR, listing_id INTEGER, other_listing_id INTEGER, probability INTEGER,
  words INTEGER, model INTEGER, measure INTEGER, number INTEGER, colour INTEGER, kind INTEGER, part_number INTEGER,
  brand INTEGER, lead INTEGER, price INTEGER);

CREATE TABLE likely_listing (listing_id INTEGER, likely_uid VARCHAR, likely_probability INTEGER);

SELECT count(DISTINCT (platform, country))::INTEGER AS shops FROM listing;

-- name: near
-- in: match_key, match_profile out: match_near
-- Of a part of the offers, those of later shops that are near them by their rarest words. Most pairs have only one of these
-- words in common: unless it is rare enough by itself, they are left out before anything is added up.
INSERT INTO match_near
WITH met AS (
  SELECT a.offer AS l, b.offer AS r, sum(a.square)::BIGINT AS square
  FROM match_key AS a JOIN match_key AS b ON a.token = b.token AND a.condition = b.condition AND a.shop < b.shop
  WHERE a.offer BETWEEN $first::INTEGER AND $last::INTEGER
    AND (a.others & b.others <> 0 OR a.square >= 0.2 * a.norm * b.norm)
  GROUP BY ALL
)
SELECT l, r, p.shop, q.shop, square / (p.norm * q.norm)
FROM met JOIN match_profile AS p ON p.offer = l JOIN match_profile AS q ON q.offer = r
WHERE square >= 0.2 * p.norm * q.norm;

-- name: candidates
-- in: match_near out: match_candidate
-- Of a part of the offers, the five nearest at each other shop, and of those the 20 nearest in all.
INSERT INTO match_candidate
WITH partner AS (
  SELECT l AS this, r AS that, r_shop AS that_shop, * FROM match_near
  WHERE l BETWEEN $first::INTEGER AND $last::INTEGER
  UNION ALL
  SELECT r AS this, l AS that, l_shop AS that_shop, * FROM match_near
  WHERE r BETWEEN $first::INTEGER AND $last::INTEGER
)
SELECT l, r, l_shop, r_shop FROM partner
QUALIFY row_number() OVER (PARTITION BY this, that_shop ORDER BY nearness DESC, that) <= 5
  AND row_number() OVER (PARTITION BY this ORDER BY nearness DESC, that) <= 20;

-- name: pairs
-- in: match_candidate out: match_pair, match_comparison
-- Each pair of offers to be compared once, and the table of their comparisons.
CREATE TABLE match_pair AS SELECT DISTINCT l, r, l_shop, r_shop FROM match_candidate;

DROP TABLE match_near;
DROP TABLE match_candidate;

CREATE TABLE match_comparison (l INTEGER, r INTEGER, l_shop INTEGER, r_shop INTEGER, is_certain BOOLEAN, cosine INTEGER,
  words INTEGER, model INTEGER, measure INTEGER, number INTEGER, colour INTEGER, kind INTEGER, part_number INTEGER,
  brand INTEGER, lead INTEGER, price INTEGER);

SELECT count(*)::INTEGER AS pairs FROM match_pair;
