-- The reference tables of the snapshot before.
CREATE VIEW previous_gpc_node AS SELECT * FROM read_parquet(getvariable('lake')['previous'] || '/gpc_nodes.parquet');
CREATE VIEW previous_gpc_attribute AS
SELECT * FROM read_parquet(getvariable('lake')['previous'] || '/gpc_attributes.parquet');
CREATE VIEW previous_browse_node AS
SELECT * FROM read_parquet(getvariable('lake')['previous'] || '/browse_nodes.parquet');
CREATE VIEW previous_crosswalk AS SELECT * FROM read_parquet(getvariable('lake')['previous'] || '/crosswalk.parquet');
CREATE VIEW previous_lexicon AS SELECT * FROM read_parquet(getvariable('lake')['previous'] || '/lexicon.parquet');
