-- in: match_comparison, match_profile out: match_score, likely_link, likely_member
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

-- The pairs that can join a likely product, the surest first, as entities with their shops: of two entities that a shop
-- has both, none. An entity is numbered by its first offer.
CREATE TABLE likely_link (l INTEGER, r INTEGER, is_joined BOOLEAN);
CREATE TABLE likely_member (entity INTEGER, product INTEGER);

WITH numbered AS (
  SELECT entity, min(offer) AS number, list(shop ORDER BY shop) AS shops FROM match_profile GROUP BY entity
)
SELECT l, r, a.number AS l_entity, b.number AS r_entity, a.shops AS l_shops, b.shops AS r_shops
FROM match_score
JOIN match_profile AS p ON p.offer = l JOIN numbered AS a ON a.entity = p.entity
JOIN match_profile AS q ON q.offer = r JOIN numbered AS b ON b.entity = q.entity
WHERE NOT list_has_any(a.shops, b.shops) AND probability >= 900
ORDER BY probability DESC, l, r;
