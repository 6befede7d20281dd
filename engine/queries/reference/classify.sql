SELECT rowid::INTEGER AS row, browse_id, name, path, in_serving_catalog, gpc_code, match_precision, match_source,
       inherited_from, assurance_state, stop
FROM known_browse_node
WHERE rowid IN (SELECT TRY_CAST(unnest(string_split($rows::VARCHAR, ',')) AS BIGINT))
ORDER BY row
