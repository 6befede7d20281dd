-- Rows of a catalogue that repeat a listing, or whose listing is known as they say.
INSERT INTO duplicate
WITH known AS (
  SELECT listing_id FROM attribute JOIN previous_attribute USING (listing_id)
  WHERE attribute IS NOT DISTINCT FROM previous_attribute
),
row AS (
  SELECT described.file, listing_id, row_number() OVER (PARTITION BY listing_id ORDER BY described.file) AS place
  FROM described JOIN listing_key USING (country, platform, product_id)
)
SELECT file, 'same_key', count(*)
FROM row LEFT JOIN known USING (listing_id)
WHERE place > 1 OR known.listing_id IS NOT NULL
GROUP BY file;

INSERT INTO duplicate
WITH row AS (
  SELECT * EXCLUDE (file_row_number), row_number() OVER (PARTITION BY path ORDER BY file, file_row_number) AS place
  FROM taxonomy_row ANTI JOIN taxonomy_orphan USING (path)
),
known AS (
  SELECT path FROM row JOIN previous_taxonomy USING (path)
  WHERE (row.name, row.aliases, row.gpc_codes, row.is_accessory, row.is_mixed, row.price_floor_us, row.price_floor_ca, row.active)
    IS NOT DISTINCT FROM (previous_taxonomy.name, previous_taxonomy.aliases, previous_taxonomy.gpc_codes,
      previous_taxonomy.is_accessory, previous_taxonomy.is_mixed, previous_taxonomy.price_floor_us,
      previous_taxonomy.price_floor_ca, previous_taxonomy.active)
)
SELECT file, 'same_key', count(*)
FROM row LEFT JOIN known USING (path)
WHERE place > 1 OR known.path IS NOT NULL
GROUP BY file;
