-- What titles are read as, one row a listing. Codes have spaces between: lists are dear to append.
CREATE TABLE title_reading (listing_id INTEGER, brand VARCHAR, part_number VARCHAR, codes VARCHAR, words VARCHAR,
  pack INTEGER, kind VARCHAR, size VARCHAR);
