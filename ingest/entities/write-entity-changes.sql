COPY (
  SELECT snapshot_id, listing_id, product_uid, from_entity_uid, to_entity_uid, kind FROM previous_entity_change
  UNION ALL
  SELECT getvariable('partition')['snapshot_id'], listing_id, product_uid, from_entity_uid, to_entity_uid, kind
  FROM entity_change
  ORDER BY snapshot_id, listing_id
) TO (getvariable('lake')['snapshot'] || '/entity_changes.parquet') (FORMAT parquet, COMPRESSION zstd);
