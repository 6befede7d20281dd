-- Rows of a catalogue that repeat a listing, or whose listing is known as they say.
INSERT INTO duplicate
WITH known AS (
  SELECT listing_id FROM attribute JOIN previous_attribute USING (listing_id)
  WHERE attribute IS NOT DISTINCT FROM previous_attribute
),
placed AS (
  SELECT described.file, listing_id, row_number() OVER (PARTITION BY listing_id ORDER BY described.file) AS place
  FROM described JOIN listing_key USING (country, platform, product_id)
)
SELECT file, 'same_key', count(*)
FROM placed LEFT JOIN known USING (listing_id)
WHERE place > 1 OR known.listing_id IS NOT NULL
GROUP BY file;

-- The same of nodes of a taxonomy.
INSERT INTO duplicate
WITH placed AS (
  SELECT file, path, (name, aliases, gpc_codes, is_accessory, is_mixed, price_floor_us, price_floor_ca, active) AS said,
    row_number() OVER (PARTITION BY path ORDER BY file, file_row_number) AS place
  FROM taxonomy_row ANTI JOIN taxonomy_orphan USING (path)
),
known AS (
  SELECT path, (name, aliases, gpc_codes, is_accessory, is_mixed, price_floor_us, price_floor_ca, active) AS said
  FROM previous_taxonomy
)
SELECT file, 'same_key', count(*)
FROM placed LEFT JOIN known USING (path)
WHERE place > 1 OR known.path IS NOT NULL AND placed.said IS NOT DISTINCT FROM known.said
GROUP BY file;
