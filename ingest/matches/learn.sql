-- name: odds
-- in: $weights out:
-- The odds, in millionths, that a pair is of one product before rivals are considered. Weights are thousandths of natural
-- logarithms, by comparison and level; a pair of one entity outweighs every other.
CREATE OR REPLACE MACRO match_weight(name, level) AS getvariable('weights')[name][level + 1];

CREATE OR REPLACE MACRO match_odds(is_certain, words, model, measure, number, colour, kind, part_number, brand, lead, price) AS
  CASE WHEN is_certain THEN 1000000000000000 ELSE round(1e6 * exp(least(16000, match_weight('prior', 0)
    + match_weight('words', words) + match_weight('model', model) + match_weight('measure', measure)
    + match_weight('number', number) + match_weight('colour', colour) + match_weight('kind', kind)
    + match_weight('part_number', part_number) + match_weight('brand', brand) + match_weight('lead', lead)
    + match_weight('price', price)) / 1000))::BIGINT END;

-- name: sample
-- in: match_comparison out: match_pattern, match_sample
-- The pairs that weights are learnt from: all of a share of the offers (`is_learnt`), and their rivals, the other pairs of
-- either offer at the other's shop. `best`: neither offer has a nearer partner at the other's shop. Few comparisons differ:
-- pairs have them as the number of a pattern.
CREATE OR REPLACE TABLE match_pattern AS
WITH distinct_pattern AS (
  SELECT DISTINCT is_certain, words, model, measure, number, colour, kind, part_number, brand, lead, price FROM match_comparison
)
SELECT row_number() OVER ()::INTEGER AS pattern, * FROM distinct_pattern;

CREATE OR REPLACE TABLE match_sample AS
WITH learnt AS (
  SELECT r, l_shop FROM match_comparison WHERE l % $shares::INTEGER = 0 GROUP BY ALL
)
SELECT l, r, l_shop, r_shop, pattern, l % $shares::INTEGER = 0 AS is_learnt,
  count(*) OVER (PARTITION BY l, r_shop) AS l_rivals, count(*) OVER (PARTITION BY r, l_shop) AS r_rivals,
  NOT is_certain AND row_number() OVER (PARTITION BY l, r_shop ORDER BY is_certain DESC, cosine DESC, r) = 1
    AND row_number() OVER (PARTITION BY r, l_shop ORDER BY is_certain DESC, cosine DESC, l) = 1 AS is_best
FROM match_comparison SEMI JOIN learnt USING (r, l_shop)
JOIN match_pattern USING (is_certain, words, model, measure, number, colour, kind, part_number, brand, lead, price);

-- name: guess
-- in: match_pattern, match_sample out: match_guess
-- How many learnt pairs of each pattern are of one product by the weights, and how many are not, in millionths. A pair's
-- probability is its share of the odds of all its rivals and of having no partner. What is unlike is learnt from pairs of
-- which a side has a nearer partner, as a shop rarely sells a product under two names.
CREATE OR REPLACE TABLE match_guess AS
WITH pattern_odds AS (
  SELECT pattern, match_odds(is_certain, words, model, measure, number, colour, kind, part_number, brand, lead, price) AS odds
  FROM match_pattern
),
guessed AS (
  SELECT pattern, is_learnt, is_best, (1e6 * odds / (1000000 + sum(odds) OVER (PARTITION BY l, r_shop)
    + sum(odds) OVER (PARTITION BY r, l_shop) - odds))::BIGINT AS p
  FROM match_sample JOIN pattern_odds USING (pattern)
)
SELECT pattern, sum(p) AS alike, sum(CASE WHEN is_best THEN 0 ELSE 1000000 - p END) AS unlike
FROM guessed WHERE is_learnt GROUP BY pattern;

-- The same by level of each comparison.
WITH learnt AS (
  SELECT * EXCLUDE (pattern, is_certain) FROM match_guess JOIN match_pattern USING (pattern)
)
SELECT name, level, sum(alike)::DOUBLE / 1e6 AS alike, sum(unlike)::DOUBLE / 1e6 AS unlike
FROM (
  UNPIVOT learnt ON words, model, measure, number, colour, kind, part_number, brand, lead, price INTO NAME name VALUE level
)
GROUP BY ALL ORDER BY ALL;

-- name: found
-- in: match_guess, match_sample out:
-- The learnt pairs, those found to be of one product, and the partners that offers could have on either side: how many
-- times an offer has pairs at another shop.
SELECT count(*)::DOUBLE AS pairs, coalesce((SELECT sum(alike) FROM match_guess), 0)::DOUBLE / 1e6 AS found,
  coalesce(sum(1000000 // l_rivals), 0)::DOUBLE / 1e6 AS l_offers,
  coalesce(sum(1000000 // r_rivals), 0)::DOUBLE / 1e6 AS r_offers
FROM match_sample WHERE is_learnt;
