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
