SELECT rowid::INTEGER AS row, browse_id, name, path, in_serving_catalog
FROM known_browse_node
WHERE rowid IN (SELECT TRY_CAST(unnest(string_split($rows::VARCHAR, ',')) AS BIGINT))
ORDER BY row
