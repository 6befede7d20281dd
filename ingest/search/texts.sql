-- in: final_listing, attribute, kept_reading, previous_search_key out: search_place, search_reading, kept_key
-- Numbers the listings of each country, and returns the texts and ids of those without readings, sorted by name.
-- TypeScript reads them, each name once, into the second table: words separated by spaces, keys by line breaks.

-- From 0 by prominence: listings with a price in the last 90 days first, then by reviews, then the latest observed.
-- `row` is a listing's row in the files of listings, over all countries.
CREATE TABLE search_place AS
WITH newest AS (
  SELECT max(last_day) AS last_day FROM final_listing
)
SELECT listing_id, country, md5_number_lower(entity_uid) AS entity_key,
  md5_number_lower(likely_uid) AS likely_key, (row_number() OVER (
  PARTITION BY country
  ORDER BY coalesce(final_listing.last_day > newest.last_day - 90, false) DESC, review_count DESC NULLS LAST,
    observed_at DESC NULLS LAST, listing_id) - 1)::INTEGER AS place,
  (row_number() OVER (ORDER BY country, category_id, listing_id) - 1)::INTEGER AS row
FROM final_listing, newest;

CREATE TABLE search_reading (listing_id INTEGER, word_count INTEGER, words VARCHAR, keys VARCHAR);

INSERT INTO search_reading SELECT listing_id, word_count, search_words, NULL FROM kept_reading;

CREATE TABLE kept_key AS FROM previous_search_key SEMI JOIN kept_reading USING (listing_id);

SELECT listing_id, final_listing.product_name, final_listing.product_uid, final_listing.product_id, gtin14,
  final_listing.url,
  concat_ws(' ', attribute.brand.value, attribute.model.value, attribute.mpn.value,
    attribute.size_value.value || ' ' || attribute.size_unit.value,
    if(attribute.pack_count.value = '1', NULL, attribute.pack_count.value || ' pack')) AS other_texts,
  attribute.size_value.value AS size_value, attribute.size_unit.value AS size_unit,
  attribute.pack_count.value AS pack_count, attribute.brand.value AS brand
FROM final_listing JOIN attribute USING (listing_id) ANTI JOIN kept_reading USING (listing_id)
ORDER BY final_listing.product_name, other_texts, attribute.size_value.value;
