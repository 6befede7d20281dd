-- What listings are found by: words with spaces between, keys with line breaks between.
CREATE TABLE search_reading (listing_id INTEGER, word_count INTEGER, words VARCHAR, keys VARCHAR);
