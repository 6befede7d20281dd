-- in: listing, category, title_reading, previous_listing, entity, listing_key, suspect_barcode out: listing_size, entity_change
-- The size of each listing, in departments of goods that are consumed: elsewhere a number with a unit says what a product
-- can do, as a kettle of 1.7 litres or a machine for 5 cups. A department of a retailer is one of those if a tenth of its
-- listings state a weight or a volume; shelves whose names say that their goods last are none.
CREATE TABLE listing_size AS
WITH stated AS (
  SELECT listing_id, retailer_id, department, contents_milli, contents_unit, contents_pack,
    regexp_matches(path, '(^|[-/])(appliance|electronic|computer|cookware|kettle|fridge|refrigerator|furniture|tool|toy|'
      || 'sport|automotive|apparel|clothing|shoe|jewelry|camera|phone|electrodomestico|electromenager|elektro)') AS is_lasting
  FROM listing JOIN category USING (category_id) JOIN title_reading USING (listing_id)
),
consumed AS (
  SELECT retailer_id, department FROM stated
  GROUP BY ALL HAVING 10 * count(*) FILTER (contents_unit IN ('g', 'ml')) >= count(*)
)
SELECT listing_id, contents_milli AS size_milli, contents_unit AS size_unit, contents_pack AS pack_count
FROM stated SEMI JOIN consumed USING (retailer_id, department) WHERE contents_unit IS NOT NULL AND NOT is_lasting;

-- Listings whose entity differs from that in the previous snapshot. `split`: the listing left others of its entity;
-- `merge`: it joined listings of another entity; `move`: both; `rename`: the whole entity has another uid. Returns the
-- report on entities.
CREATE TABLE entity_change AS
WITH moved AS (
  SELECT listing_id, previous_listing.entity_uid AS before, entity.entity_uid AS after
  FROM previous_listing JOIN entity USING (listing_id)
  WHERE previous_listing.entity_uid IS NOT NULL
),
origin AS (
  SELECT before, count(DISTINCT after) > 1 AS is_split FROM moved GROUP BY before
),
target AS (
  SELECT after, count(DISTINCT before) > 1 AS is_merge FROM moved GROUP BY after
)
SELECT listing_id, product_uid, before AS from_entity_uid, after AS to_entity_uid,
  CASE WHEN is_split AND is_merge THEN 'move' WHEN is_split THEN 'split' WHEN is_merge THEN 'merge'
       ELSE 'rename' END AS kind
FROM moved
JOIN origin USING (before)
JOIN target USING (after)
JOIN listing_key USING (listing_id)
WHERE before <> after;

WITH anchor AS (
  SELECT basis AS name, count(*)::INTEGER AS listings FROM entity GROUP BY basis
),
suspect AS (
  SELECT reason AS name, count(*)::INTEGER AS barcodes FROM suspect_barcode GROUP BY reason
),
change AS (
  SELECT kind AS name, count(*)::INTEGER AS listings FROM entity_change GROUP BY kind
),
shared AS (
  SELECT count(*) AS listings FROM entity JOIN listing USING (listing_id)
  GROUP BY entity_uid HAVING count(DISTINCT retailer_id) > 1
)
SELECT (SELECT count(DISTINCT entity_uid)::INTEGER FROM entity) AS unique_products,
  (SELECT coalesce(sum(listings), 0)::INTEGER FROM shared) AS matched,
  (SELECT map(list(name ORDER BY name), list(listings ORDER BY name)) FROM anchor) AS anchors,
  (SELECT map(list(name ORDER BY name), list(barcodes ORDER BY name)) FROM suspect) AS suspect_barcodes,
  (SELECT map(list(name ORDER BY name), list(listings ORDER BY name)) FROM change) AS changes;
