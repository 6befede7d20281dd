-- in: listing, category, title_reading out: listing_size
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
