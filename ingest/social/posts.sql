-- name: posts
-- in: $lake, brand out: post
-- The valid posts of this refresh. Only a hash of a post's id is kept, by which later sightings are recognised. Returns
-- the brands of the catalogue, which posts may mention.
CREATE TABLE post AS
SELECT file, file_row_number, platform, md5_number_lower(platform || '/' || post_id) AS post_key,
  date_trunc('second', collected_at) AS collected_at, date_trunc('second', posted_at) AS posted_at, category_root,
  brand_source, gpc_codes, theme, views, engagements, is_ad, is_noise
FROM read_parquet(getvariable('lake')['staged_glob'] || '/social_posts-*.parquet', file_row_number = true)
WHERE fault IS NULL;

SELECT brand_norm, brand FROM brand ORDER BY brand_norm;

-- name: sources
-- in: post out: brand_source_reading, social_spelling
-- The distinct brand sources, which are the brand fields and texts of posts. TypeScript reads each once, into the first
-- table created here; the second has the spellings of brands, which the catalogue may lack.
CREATE TABLE brand_source_reading (brand_source VARCHAR, brand_norms VARCHAR[]);
CREATE TABLE social_spelling (brand_norm VARCHAR, brand VARCHAR);

SELECT DISTINCT brand_source FROM post;
