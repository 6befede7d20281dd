-- Listings that stand in another entity than in the snapshot before. `split`: it left others of its entity behind;
-- `merge`: it met listings of another entity; `move`: both; `rename`: the whole entity has another uid.
CREATE TABLE entity_change AS
WITH known AS (
  SELECT listing_id, previous_listing.entity_uid AS before, entity.entity_uid AS after
  FROM previous_listing JOIN entity USING (listing_id)
  WHERE previous_listing.entity_uid IS NOT NULL
),
parted AS (
  SELECT before, count(DISTINCT after) > 1 AS is_split FROM known GROUP BY before
),
met AS (
  SELECT after, count(DISTINCT before) > 1 AS is_merge FROM known GROUP BY after
)
SELECT listing_id, product_uid, before AS from_entity_uid, after AS to_entity_uid,
  CASE WHEN is_split AND is_merge THEN 'move' WHEN is_split THEN 'split' WHEN is_merge THEN 'merge'
       ELSE 'rename' END AS kind
FROM known
JOIN parted USING (before)
JOIN met USING (after)
JOIN listing_key USING (listing_id)
WHERE before <> after;
