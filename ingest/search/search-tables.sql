-- Listings are numbered from 0 within their country, best known first: those with a price of the last 90 days, then by
-- reviews, then the latest observed. Their row is that of the listings' files, all countries together.
CREATE TABLE search_place AS
WITH newest AS (
  SELECT max(last_day) AS last_day FROM final_listing
)
SELECT listing_id, country, (row_number() OVER (
  PARTITION BY country
  ORDER BY coalesce(final_listing.last_day > newest.last_day - 90, false) DESC, review_count DESC NULLS LAST,
    observed_at DESC NULLS LAST, listing_id) - 1)::INTEGER AS place,
  (row_number() OVER (ORDER BY country, category_id, listing_id) - 1)::INTEGER AS row
FROM final_listing, newest;

CREATE TABLE search_posting AS
SELECT country, place, unnest(string_split(words, ' ')) AS word
FROM search_reading JOIN search_place USING (listing_id)
WHERE words <> '';

CREATE TABLE search_key AS
WITH told AS (
  SELECT country, place, unnest(string_split(keys, chr(10))) AS key
  FROM search_reading JOIN search_place USING (listing_id)
)
SELECT country, place, md5_number_lower(key) AS key FROM told;
