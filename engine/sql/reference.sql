-- The reference tables of a snapshot (data/README.md).
CREATE VIEW gpc_node AS SELECT * FROM read_parquet(getvariable('snapshot') || '/gpc_nodes.parquet');
CREATE VIEW gpc_attribute AS SELECT * FROM read_parquet(getvariable('snapshot') || '/gpc_attributes.parquet');
CREATE VIEW gpc_shelf AS SELECT * FROM read_parquet(getvariable('snapshot') || '/gpc_shelves.parquet');
CREATE VIEW browse_node AS SELECT * FROM read_parquet(getvariable('snapshot') || '/browse_nodes.parquet');
CREATE VIEW lexicon AS SELECT * FROM read_parquet(getvariable('snapshot') || '/lexicon.parquet');
CREATE VIEW crosswalk AS SELECT * FROM read_parquet(getvariable('snapshot') || '/crosswalk.parquet');

-- Browse nodes in memory, for looking up a few by their rows.
CREATE TABLE known_browse_node AS
SELECT browse_id, name, path, in_serving_catalog, gpc_code, match_precision, match_source, inherited_from,
  assurance_state, stop
FROM browse_node
ORDER BY browse_id, marketplace;
