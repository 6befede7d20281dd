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
