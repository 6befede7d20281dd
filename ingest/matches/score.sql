-- in: match_comparison out: match_score
-- The probability of each pair, of one shop's offers at most one at each other; pairs of hopeless odds are left out, and
-- change no other's.
CREATE TABLE match_score AS
WITH weighed AS (
  SELECT l, r, l_shop, r_shop, is_certain, cosine,
    match_odds(is_certain, words, model, measure, number, colour, kind, part_number, brand, lead, price) AS odds
  FROM match_comparison
),
shared AS (
  SELECT l, r, l_shop, r_shop, is_certain, cosine, odds, (1e6 * odds / (1000000 + sum(odds) OVER (PARTITION BY l, r_shop)
    + sum(odds) OVER (PARTITION BY r, l_shop) - odds))::INTEGER AS p
  FROM weighed WHERE odds >= 10000
)
SELECT l, r, is_certain, least(p // 1000, 999) AS probability
FROM shared
QUALIFY row_number() OVER (PARTITION BY l, r_shop ORDER BY p DESC, cosine DESC, r) = 1
  AND row_number() OVER (PARTITION BY r, l_shop ORDER BY p DESC, cosine DESC, l) = 1
  AND p >= 100000 AND NOT is_certain;
