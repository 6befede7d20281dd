-- in: listing, hashed_text, title_reading, search_reading, $lake out: listing_readings.parquet
-- Writes the readings of the texts of each listing, for the next refresh. Returns the number of listings.
COPY (
  SELECT listing_id, text_hash, condition, gtin14, is_anchor, dropped_codes, title_reading.brand AS title_brand,
    part_number, codes, title_reading.words AS title_words, pack, kind, size, word_count,
    search_reading.words AS search_words
  FROM listing JOIN hashed_text USING (listing_id) JOIN search_reading USING (listing_id)
  LEFT JOIN title_reading USING (listing_id)
  ORDER BY listing_id
) TO (getvariable('lake')['listing_readings']) (FORMAT parquet, COMPRESSION zstd);

SELECT count(*)::INTEGER AS readings FROM listing;
