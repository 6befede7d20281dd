-- name: index-country
-- in: $partition, search_place, search_reading, final_listing out: indexed, posting, search_key
-- What the files of the search index of a country are written from. Returns the number of its listings.
CREATE OR REPLACE TEMP TABLE indexed AS
SELECT listing_id, place, row, word_count, words, keys, product_uid, entity_uid, likely_uid, gtin14
FROM search_place JOIN search_reading USING (listing_id) JOIN final_listing USING (listing_id)
WHERE search_place.country = getvariable('partition')['country'];

CREATE OR REPLACE TEMP TABLE posting AS
SELECT unnest(string_split(words, ' ')) AS word, place FROM indexed WHERE words <> '';

CREATE OR REPLACE TEMP TABLE search_key AS
SELECT unnest(keys) AS key, place FROM indexed
UNION ALL
SELECT md5_number_lower(text) AS key, place
FROM (SELECT unnest([product_uid, entity_uid, likely_uid, 'gtin ' || gtin14]) AS text, place FROM indexed)
WHERE text IS NOT NULL;

SELECT count(*)::INTEGER AS listings FROM indexed;

-- name: places
-- in: indexed out:
-- By place: the row of each listing, and how many significant words its name has.
SELECT row, least(word_count, 65535)::USMALLINT AS word_count FROM indexed ORDER BY place;

-- name: words
-- in: posting out:
-- The words, sorted, and which postings are those of each.
SELECT (sum(listing_count) OVER (ORDER BY word ROWS UNBOUNDED PRECEDING) - listing_count)::UINTEGER AS first_posting,
  listing_count, word
FROM (SELECT word, count(*)::INTEGER AS listing_count FROM posting GROUP BY word)
ORDER BY word;

-- name: postings
-- in: posting out:
SELECT place FROM posting ORDER BY word, place;

-- name: keys
-- in: search_key out:
SELECT key, place FROM search_key ORDER BY key, place;
