-- The reference tables of a snapshot (data/README.md).
CREATE VIEW gpc_node AS SELECT * FROM read_parquet(getvariable('snapshot') || '/gpc_nodes.parquet');
CREATE VIEW gpc_attribute AS SELECT * FROM read_parquet(getvariable('snapshot') || '/gpc_attributes.parquet');
CREATE VIEW gpc_shelf AS SELECT * FROM read_parquet(getvariable('snapshot') || '/gpc_shelves.parquet');
CREATE VIEW browse_node AS SELECT * FROM read_parquet(getvariable('snapshot') || '/browse_nodes.parquet');
CREATE VIEW lexicon AS SELECT * FROM read_parquet(getvariable('snapshot') || '/lexicon.parquet');
CREATE VIEW crosswalk AS SELECT * FROM read_parquet(getvariable('snapshot') || '/crosswalk.parquet');
