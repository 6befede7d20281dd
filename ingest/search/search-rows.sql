SELECT
  (SELECT count(DISTINCT word) FROM search_posting WHERE country = $country::VARCHAR)::INTEGER AS search_words,
  (SELECT count(*) FROM search_posting WHERE country = $country::VARCHAR)::INTEGER AS search_postings,
  (SELECT count(*) FROM search_key WHERE country = $country::VARCHAR)::INTEGER AS search_keys,
  (SELECT count(*) FROM search_place WHERE country = $country::VARCHAR)::INTEGER AS search_listings;
