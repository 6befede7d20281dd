-- What titles are read as, one row a listing.
CREATE TABLE title_reading (listing_id INTEGER, key VARCHAR);
