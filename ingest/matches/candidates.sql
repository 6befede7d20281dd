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

-- name: candidates
-- in: match_key, match_word, match_profile out: match_candidate
-- Of a part of the offers, the five nearest at each other shop, and of those the 20 nearest in all.
INSERT INTO match_candidate
WITH key AS (
  SELECT offer, token, idf::BIGINT * idf AS square FROM match_key JOIN match_word USING (token)
),
met AS (
  SELECT this.offer AS this, that.offer AS that, sum(this.square)::BIGINT AS square
  FROM key AS this JOIN match_key AS that ON this.token = that.token AND this.offer <> that.offer
  WHERE this.offer BETWEEN $first::INTEGER AND $last::INTEGER
  GROUP BY ALL
),
near AS (
  SELECT this, that, p.shop AS this_shop, q.shop AS that_shop, square / (p.norm * q.norm) AS nearness
  FROM met JOIN match_profile AS p ON p.offer = this JOIN match_profile AS q ON q.offer = that
  WHERE p.shop <> q.shop AND p.condition = q.condition AND square >= 0.2 * p.norm * q.norm
  QUALIFY row_number() OVER (PARTITION BY this, that_shop ORDER BY nearness DESC, that) <= 5
    AND row_number() OVER (PARTITION BY this ORDER BY nearness DESC, that) <= 20
)
SELECT CASE WHEN this_shop < that_shop THEN this ELSE that END, CASE WHEN this_shop < that_shop THEN that ELSE this END,
  least(this_shop, that_shop), greatest(this_shop, that_shop)
FROM near;

-- name: pairs
-- in: match_candidate out: match_pair, match_comparison
-- Each pair of offers to be compared once, and the table of their comparisons.
CREATE TABLE match_pair AS SELECT DISTINCT l, r, l_shop, r_shop FROM match_candidate;

DROP TABLE match_candidate;

CREATE TABLE match_comparison (l INTEGER, r INTEGER, l_shop INTEGER, r_shop INTEGER, is_certain BOOLEAN, cosine INTEGER,
  words INTEGER, model INTEGER, measure INTEGER, number INTEGER, colour INTEGER, kind INTEGER, part_number INTEGER,
  brand INTEGER, lead INTEGER, price INTEGER);

SELECT count(*)::INTEGER AS pairs FROM match_pair;
