-- name: numbers
-- in: final_listing out: search_place
-- Numbers the listings of each country from 0 by prominence: those with a price in the last 90 days first, then by reviews,
-- then the latest observed. `row` is a listing's row in its country's file of listings.
CREATE TABLE search_place AS
WITH newest AS (
  SELECT max(last_day) AS last_day FROM final_listing
)
SELECT listing_id, country, (row_number() OVER (
  PARTITION BY country
  ORDER BY coalesce(final_listing.last_day > newest.last_day - 90, false) DESC, review_count DESC NULLS LAST,
    observed_at DESC NULLS LAST, listing_id) - 1)::INTEGER AS place,
  (row_number() OVER (PARTITION BY country ORDER BY category_id, listing_id) - 1)::INTEGER AS row
FROM final_listing, newest;

-- name: texts
-- in: final_listing, attribute, kept_reading out: name_reading
-- Returns the texts and ids of listings without readings, sorted by name. TypeScript reads them, each name once, into the
-- table: words separated by spaces, keys by line breaks.
CREATE TABLE name_reading (listing_id INTEGER, word_count INTEGER, words VARCHAR, keys VARCHAR);

SELECT listing_id, final_listing.product_name, final_listing.product_id, final_listing.url,
  concat_ws(' ', attribute.brand.value, attribute.model.value, attribute.mpn.value,
    attribute.size_value.value || ' ' || attribute.size_unit.value,
    if(attribute.pack_count.value = '1', NULL, attribute.pack_count.value || ' pack')) AS other_texts,
  attribute.size_value.value AS size_value, attribute.size_unit.value AS size_unit,
  attribute.pack_count.value AS pack_count, attribute.brand.value AS brand
FROM final_listing JOIN attribute USING (listing_id) ANTI JOIN kept_reading USING (listing_id)
ORDER BY final_listing.product_name, other_texts, attribute.size_value.value;

-- name: readings
-- in: name_reading, kept_reading out: search_reading
-- The words of every listing, and the hashes of the keys that were read of its texts.
CREATE TABLE search_reading AS
SELECT listing_id, word_count, words,
  list_transform(string_split(keys, chr(10)), lambda text: md5_number_lower(text)) AS keys
FROM name_reading
UNION ALL
SELECT listing_id, word_count, search_words, search_keys FROM kept_reading;
