-- in: $partition, final_listing, final_shelf_day, search_place, search_reading, kept_key out: listings.parquet, shelf_days.parquet, search_words.parquet, search_postings.parquet, search_keys.parquet, search_listings.parquet
-- Writes the tables with one file per country, among them the index of its listings by their words and keys. Returns
-- the rows of each file.
COPY (SELECT * EXCLUDE (country), country FROM final_listing WHERE country = getvariable('partition')['country'])
TO (getvariable('partition')['listings_to']) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);

SET VARIABLE rows = (SELECT count(*) FROM final_shelf_day WHERE country = getvariable('partition')['country']);

COPY (SELECT * EXCLUDE (country), country FROM final_shelf_day WHERE country = getvariable('partition')['country'])
TO (getvariable('partition')['shelf_days_to'])
(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE (row_group_size(getvariable('rows'))));

CREATE OR REPLACE TEMP TABLE indexed AS
SELECT listing_id, place, row, word_count, words, keys, entity_key, likely_key
FROM search_place JOIN search_reading USING (listing_id)
WHERE country = getvariable('partition')['country'];

CREATE OR REPLACE TEMP TABLE posting AS
SELECT unnest(string_split(words, ' ')) AS word, place FROM indexed WHERE words <> '';

CREATE OR REPLACE TEMP TABLE key AS
SELECT md5_number_lower(text) AS key, place FROM (SELECT unnest(string_split(keys, chr(10))) AS text, place FROM indexed)
UNION ALL
SELECT key, place FROM kept_key JOIN indexed USING (listing_id)
UNION ALL
SELECT entity_key, place FROM indexed
UNION ALL
SELECT likely_key, place FROM indexed WHERE likely_key IS NOT NULL;

COPY (
  SELECT word, count(*)::INTEGER AS listing_count, getvariable('partition')['country'] AS country
  FROM posting GROUP BY word ORDER BY word
) TO (getvariable('partition')['search_words_to']) (FORMAT parquet, COMPRESSION zstd);

COPY (SELECT place, getvariable('partition')['country'] AS country FROM posting ORDER BY word, place)
TO (getvariable('partition')['search_postings_to']) (FORMAT parquet, COMPRESSION zstd);

COPY (SELECT key, place, getvariable('partition')['country'] AS country FROM key ORDER BY key, place)
TO (getvariable('partition')['search_keys_to']) (FORMAT parquet, COMPRESSION zstd);

COPY (
  SELECT listing_id, category_id, row, retailer_id, entity_key, likely_key, word_count,
    (accessory_depth > 0)::INTEGER AS accessory, country
  FROM final_listing JOIN indexed USING (listing_id) ORDER BY place
) TO (getvariable('partition')['search_listings_to']) (FORMAT parquet, COMPRESSION zstd);

SELECT (SELECT count(*) FROM final_listing WHERE country = getvariable('partition')['country'])::INTEGER AS listings,
  getvariable('rows')::INTEGER AS shelf_days,
  (SELECT count(DISTINCT word) FROM posting)::INTEGER AS search_words,
  (SELECT count(*) FROM posting)::INTEGER AS search_postings, (SELECT count(*) FROM key)::INTEGER AS search_keys,
  (SELECT count(*) FROM indexed)::INTEGER AS search_listings;
