-- in: $lake, $snapshot_id, previous_entity_change, entity_change out: entity_changes.parquet
-- Writes the changes of entity of this snapshot and of those before it. Returns the rows of the file.
COPY (
  SELECT snapshot_id, listing_id, product_uid, from_entity_uid, to_entity_uid, kind FROM previous_entity_change
  UNION ALL
  SELECT getvariable('snapshot_id'), listing_id, product_uid, from_entity_uid, to_entity_uid, kind FROM entity_change
  ORDER BY snapshot_id, listing_id
) TO (getvariable('lake')['snapshot'] || '/entity_changes.parquet') (FORMAT parquet, COMPRESSION zstd);

SELECT ((SELECT count(*) FROM previous_entity_change) + (SELECT count(*) FROM entity_change))::INTEGER AS rows;
