-- in: listing out: match_weight, likely_match, likely_listing
-- The tables of what is found, which stay empty where no two shops could have one product. Returns the number of shops, which
-- are retailers in a country.
CREATE TABLE match_weight (comparison VARCHAR, level INTEGER, weight INTEGER);

CREATE TABLE likely_match (country VARCHAR, listing_id INTEGER, other_listing_id INTEGER, probability INTEGER,
  words INTEGER, model INTEGER, measure INTEGER, number INTEGER, colour INTEGER, kind INTEGER, part_number INTEGER,
  brand INTEGER, lead INTEGER, price INTEGER);

CREATE TABLE likely_listing (listing_id INTEGER, likely_uid VARCHAR, likely_probability INTEGER);

SELECT count(DISTINCT (platform, country))::INTEGER AS shops FROM listing;
