CREATE VIEW previous_entity_change AS
SELECT * FROM read_parquet(getvariable('lake')['previous'] || '/entity_changes.parquet');
