-- A country's part of the search index.
COPY (
  SELECT word, count(*)::INTEGER AS listing_count FROM search_posting
  WHERE country = getvariable('partition')['country'] GROUP BY word ORDER BY word
) TO (getvariable('partition')['search_words_to']) (FORMAT parquet, COMPRESSION zstd);

COPY (
  SELECT place FROM search_posting WHERE country = getvariable('partition')['country'] ORDER BY word, place
) TO (getvariable('partition')['search_postings_to']) (FORMAT parquet, COMPRESSION zstd);

COPY (
  SELECT key, place FROM search_key WHERE country = getvariable('partition')['country'] ORDER BY key, place
) TO (getvariable('partition')['search_keys_to']) (FORMAT parquet, COMPRESSION zstd);

COPY (
  SELECT listing_id, category_id, row, retailer_id,
    coalesce(md5_number_lower(entity_uid), 0)::UBIGINT AS entity_key, word_count, (accessory_depth > 0)::INTEGER AS accessory
  FROM final_listing JOIN search_place USING (listing_id, country) JOIN search_reading USING (listing_id)
  WHERE country = getvariable('partition')['country'] ORDER BY place
) TO (getvariable('partition')['search_listings_to']) (FORMAT parquet, COMPRESSION zstd);
