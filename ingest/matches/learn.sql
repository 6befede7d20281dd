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
-- in: match_comparison out: match_guess
-- The pairs that weights are learnt from: all of a share of the offers (`is_learnt`), and their rivals, the other pairs of
-- either offer at the other's shop. `best`: neither offer has a nearer partner at the other's shop.
CREATE OR REPLACE TABLE match_guess AS
WITH learnt AS (
  SELECT r, l_shop FROM match_comparison WHERE l % $shares::INTEGER = 0 GROUP BY ALL
),
near AS (
  SELECT * EXCLUDE (cosine), l % $shares::INTEGER = 0 AS is_learnt,
    count(*) OVER (PARTITION BY l, r_shop) AS l_rivals, count(*) OVER (PARTITION BY r, l_shop) AS r_rivals,
    row_number() OVER (PARTITION BY l, r_shop ORDER BY is_certain DESC, cosine DESC, r) = 1
      AND row_number() OVER (PARTITION BY r, l_shop ORDER BY is_certain DESC, cosine DESC, l) = 1 AS best
  FROM match_comparison SEMI JOIN learnt USING (r, l_shop)
)
SELECT *, 0::BIGINT AS p FROM near;

-- name: guess
-- in: out: match_guess
-- The probability of each sampled pair by the weights: its share of the odds of all its rivals and of having no partner.
CREATE OR REPLACE TABLE match_guess AS
WITH weighed AS (
  SELECT * EXCLUDE (p), match_odds(is_certain, words, model, measure, number, colour, kind, part_number, brand, lead, price) AS odds
  FROM match_guess
)
SELECT * EXCLUDE (odds), (1e6 * odds / (1000000 + sum(odds) OVER (PARTITION BY l, r_shop)
  + sum(odds) OVER (PARTITION BY r, l_shop) - odds))::BIGINT AS p
FROM weighed;

-- How many learnt pairs have each level of each comparison: of one product, and of two. What is unlike is learnt from
-- pairs of which a side has a nearer partner, as a shop rarely sells a product under two names.
WITH learnt AS (
  SELECT p, CASE WHEN best AND NOT is_certain THEN 0 ELSE 1000000 - p END AS q, words, model, measure, number, colour, kind,
    part_number, brand, lead, price
  FROM match_guess WHERE is_learnt
)
SELECT name, level, sum(p)::DOUBLE / 1e6 AS alike, sum(q)::DOUBLE / 1e6 AS unlike
FROM (
  UNPIVOT learnt ON words, model, measure, number, colour, kind, part_number, brand, lead, price INTO NAME name VALUE level
)
GROUP BY ALL ORDER BY ALL;

-- name: found
-- in: match_guess out:
-- The learnt pairs, those found to be of one product, and the partners that offers could have on either side: how many
-- times an offer has pairs at another shop.
SELECT count(*)::DOUBLE AS pairs, coalesce(sum(p), 0)::DOUBLE / 1e6 AS found,
  coalesce(sum(1000000 // l_rivals), 0)::DOUBLE / 1e6 AS l_offers,
  coalesce(sum(1000000 // r_rivals), 0)::DOUBLE / 1e6 AS r_offers
FROM match_guess WHERE is_learnt;
