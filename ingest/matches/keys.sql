-- in: match_token, match_profile out: match_key, match_candidate
-- The rarest words of each offer, by which others are looked up: at most six, each of at most 300 offers, that bring at
-- most 600 offers together. Returns the number of offers.
CREATE TABLE match_key AS
WITH rare AS (
  SELECT offer, unnest(min({'offers': offers, 'token': token}, 6), recursive := true)
  FROM match_token WHERE offers <= 300 GROUP BY offer
)
SELECT offer, token FROM rare
QUALIFY sum(offers) OVER (PARTITION BY offer ORDER BY offers, token ROWS UNBOUNDED PRECEDING) <= 600;

CREATE TABLE match_candidate (l INTEGER, r INTEGER, l_shop INTEGER, r_shop INTEGER);

SELECT count(*)::INTEGER AS offers FROM match_profile;
