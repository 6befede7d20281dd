-- in: cell, feed_file out: cell
-- The currencies of the countries that were not known before their rows were read, which note them among their dropped
-- values: they are taken from there.
CREATE OR REPLACE TEMP TABLE found AS
SELECT DISTINCT file, country, currencies_of(regexp_extract(dropped, 'currency=(\S+)', 1)) AS currency
FROM cell WHERE contains(dropped, 'currency=');

UPDATE cell SET dropped = nullif(trim(regexp_replace(dropped, 'currency=\S+', '')), '')
WHERE contains(dropped, 'currency=');

SELECT name, country, currency FROM found JOIN feed_file ON number = file ORDER BY country, currency, name;
