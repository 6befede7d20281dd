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
