-- in: match_score, match_profile out: likely_link, likely_member
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
