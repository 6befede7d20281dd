-- in: post out: brand_source_reading, social_spelling
-- The distinct brand sources, which are the brand fields and texts of posts. TypeScript reads each once, into the first
-- table created here; the second has the spellings of brands, which the catalogue may lack.
CREATE TABLE brand_source_reading (brand_source VARCHAR, brand_norms VARCHAR[]);
CREATE TABLE social_spelling (brand_norm VARCHAR, brand VARCHAR);

SELECT DISTINCT brand_source FROM post;
