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
