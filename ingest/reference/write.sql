-- in: $lake, gpc_node, gpc_attribute, final_type_shelf, final_browse_node, crosswalk, lexicon out: gpc_nodes.parquet, gpc_attributes.parquet, gpc_shelves.parquet, browse_nodes.parquet, crosswalk.parquet, lexicon.parquet
-- Writes the reference tables.
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
