-- What the snapshot before knows of posts.
CREATE VIEW previous_sighting AS
SELECT * FROM read_parquet(getvariable('lake')['previous'] || '/social_sightings.parquet');

CREATE VIEW previous_social_brand AS
SELECT * FROM read_parquet(getvariable('lake')['previous'] || '/social_brands.parquet');
