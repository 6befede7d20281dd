-- in: final_category, final_brand, final_retailer, final_attribute, taxonomy, gpc_node, gpc_attribute, final_type_shelf, final_browse_node, crosswalk, lexicon, previous_entity_change, entity_change, size_run, likely_match, match_weight, listing, hashed_text, title_reading, search_reading, $lake, $snapshot_id out: categories.parquet, brands.parquet, retailers.parquet, listing_attributes.parquet, category_taxonomy.parquet, gpc_nodes.parquet, gpc_attributes.parquet, gpc_shelves.parquet, browse_nodes.parquet, crosswalk.parquet, lexicon.parquet, entity_changes.parquet, listing_sizes.parquet, matches.parquet, match_weights.parquet, listing_readings.parquet
-- Writes the tables with a single file. Returns the number of entity changes, of sizes and of readings.
COPY final_category TO (getvariable('lake')['snapshot'] || '/categories.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY final_brand TO (getvariable('lake')['snapshot'] || '/brands.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY final_retailer TO (getvariable('lake')['snapshot'] || '/retailers.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY (FROM final_attribute ORDER BY listing_id)
TO (getvariable('lake')['snapshot'] || '/listing_attributes.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY (FROM taxonomy ORDER BY path)
TO (getvariable('lake')['snapshot'] || '/category_taxonomy.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY gpc_node TO (getvariable('lake')['snapshot'] || '/gpc_nodes.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY gpc_attribute TO (getvariable('lake')['snapshot'] || '/gpc_attributes.parquet')
(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048);
COPY final_type_shelf TO (getvariable('lake')['snapshot'] || '/gpc_shelves.parquet')
(FORMAT parquet, COMPRESSION zstd);
COPY final_browse_node TO (getvariable('lake')['snapshot'] || '/browse_nodes.parquet')
(FORMAT parquet, COMPRESSION zstd);
COPY (FROM crosswalk ORDER BY ALL) TO (getvariable('lake')['snapshot'] || '/crosswalk.parquet')
(FORMAT parquet, COMPRESSION zstd);
COPY (FROM lexicon ORDER BY phrase_key) TO (getvariable('lake')['snapshot'] || '/lexicon.parquet')
(FORMAT parquet, COMPRESSION zstd);
COPY (FROM likely_match ORDER BY listing_id, other_listing_id)
TO (getvariable('lake')['snapshot'] || '/matches.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY (FROM match_weight ORDER BY comparison, level)
TO (getvariable('lake')['snapshot'] || '/match_weights.parquet') (FORMAT parquet, COMPRESSION zstd);

-- The entity changes of this snapshot and of earlier ones.
COPY (
  SELECT snapshot_id, listing_id, product_uid, from_entity_uid, to_entity_uid, kind FROM previous_entity_change
  UNION ALL
  SELECT getvariable('snapshot_id'), listing_id, product_uid, from_entity_uid, to_entity_uid, kind FROM entity_change
  ORDER BY snapshot_id, listing_id
) TO (getvariable('lake')['snapshot'] || '/entity_changes.parquet') (FORMAT parquet, COMPRESSION zstd);

COPY (FROM size_run ORDER BY listing_id, first_day)
TO (getvariable('lake')['snapshot'] || '/listing_sizes.parquet') (FORMAT parquet, COMPRESSION zstd);

-- The readings of the texts of each listing, for the next refresh.
COPY (
  SELECT listing_id, text_hash, condition, gtin14, is_anchor, dropped_codes, title_reading.brand AS title_brand,
    part_number, codes, title_reading.words AS title_words, pack, kind, size, contents_milli, contents_unit,
    contents_pack, sizes_differ, word_count,
    search_reading.words AS search_words, search_reading.keys AS search_keys
  FROM listing JOIN hashed_text USING (listing_id) JOIN search_reading USING (listing_id)
  LEFT JOIN title_reading USING (listing_id)
  ORDER BY listing_id
) TO (getvariable('lake')['listing_readings']) (FORMAT parquet, COMPRESSION zstd);

SELECT ((SELECT count(*) FROM previous_entity_change) + (SELECT count(*) FROM entity_change))::INTEGER AS entity_changes,
  (SELECT count(*) FROM size_run)::INTEGER AS sizes,
  (SELECT count(*) FROM listing)::INTEGER AS readings;
