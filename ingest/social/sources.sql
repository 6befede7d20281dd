-- in: post out: brand_source_reading, social_spelling
-- The distinct sources of brands, which are the brands that a feed gives and the words of posts. TypeScript reads each
-- once, into the first of the tables created here; into the second, how brands that the catalogue may lack are written.
CREATE TABLE brand_source_reading (brand_source VARCHAR, brand_norms VARCHAR[]);
CREATE TABLE social_spelling (brand_norm VARCHAR, brand VARCHAR);

SELECT DISTINCT brand_source FROM post;
