-- name: likely
-- in: match_score, match_comparison, match_offer, match_profile, likely_link, likely_member, entity out: likely_match, likely_listing
-- The pairs of listings that are likely one product, with their levels, and the likely product of each listing that has
-- one, named after the first uid of its offers.
INSERT INTO likely_match
WITH taken AS (
  SELECT entity, shop FROM match_profile
  SEMI JOIN (SELECT entity FROM match_profile GROUP BY entity HAVING count(*) > 1) USING (entity)
),
open AS (
  SELECT l, r, probability
  FROM match_score JOIN match_profile AS p ON p.offer = l JOIN match_profile AS q ON q.offer = r
  WHERE (p.entity, q.shop) NOT IN (FROM taken) AND (q.entity, p.shop) NOT IN (FROM taken)
)
SELECT CASE WHEN a.country = b.country THEN a.country END AS country, least(a.listing_id, b.listing_id) AS listing_id,
  greatest(a.listing_id, b.listing_id) AS other_listing_id, probability::INTEGER AS probability, words, model, measure,
  number, colour, match_comparison.kind, part_number, match_comparison.brand, lead, match_comparison.price
FROM open
JOIN match_comparison USING (l, r)
JOIN match_offer AS a ON a.offer = l
JOIN match_offer AS b ON b.offer = r;

INSERT INTO likely_listing
WITH numbered AS (
  SELECT offer, min(offer) OVER (PARTITION BY entity) AS entity FROM match_profile
),
surest AS (
  SELECT entity, max(probability) AS probability
  FROM (SELECT unnest([l, r]) AS offer, probability FROM likely_link JOIN match_score USING (l, r) WHERE is_joined)
  JOIN numbered USING (offer) GROUP BY entity
),
member AS (
  SELECT its.entity_uid, 'l_' || product.product_uid[3:] AS likely_uid, probability
  FROM likely_member
  JOIN surest USING (entity)
  JOIN match_offer AS its ON its.offer = entity
  JOIN match_offer AS product ON product.offer = likely_member.product
)
SELECT listing_id, likely_uid, probability::INTEGER AS likely_probability FROM entity JOIN member USING (entity_uid);

-- name: counts
-- in: entity, listing, likely_listing, likely_match out:
-- Drops what matching needed. Returns how many listings likely products join that no entity joins, and how many pairs there
-- are.
DROP TABLE IF EXISTS match_offer;
DROP TABLE IF EXISTS match_word;
DROP TABLE IF EXISTS match_token;
DROP TABLE IF EXISTS match_profile;
DROP TABLE IF EXISTS match_key;
DROP TABLE IF EXISTS match_pair;
DROP TABLE IF EXISTS match_comparison;
DROP TABLE IF EXISTS match_pattern;
DROP TABLE IF EXISTS match_sample;
DROP TABLE IF EXISTS match_guess;
DROP TABLE IF EXISTS match_score;
DROP TABLE IF EXISTS likely_link;
DROP TABLE IF EXISTS likely_member;

WITH shared AS (
  SELECT entity_uid FROM entity JOIN listing USING (listing_id)
  GROUP BY entity_uid HAVING min(retailer_id) <> max(retailer_id)
)
SELECT (SELECT count(*) FROM likely_listing JOIN entity USING (listing_id) ANTI JOIN shared USING (entity_uid))::INTEGER AS likely,
  (SELECT count(*) FROM likely_match)::INTEGER AS pairs;
