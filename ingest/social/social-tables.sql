-- The posts of this refresh that break no rule. Of the post's id only a hash stays, which tells it when it is seen again.
CREATE TABLE post AS
SELECT file, file_row_number, platform, md5_number_lower(platform || '/' || post_id) AS post_key,
  date_trunc('second', collected_at) AS collected_at, date_trunc('second', posted_at) AS posted_at, category_root,
  brand_source, gpc_codes, theme, views, engagements, is_ad, is_noise
FROM read_parquet(getvariable('lake')['staged'] || '/social_posts-*.parquet', file_row_number = true)
WHERE fault IS NULL;

-- What a text says of brands, and how brands unknown to the catalogue are spelled.
CREATE TABLE brand_source_reading (brand_source VARCHAR, brand_norms VARCHAR[]);
CREATE TABLE social_spelling (brand_norm VARCHAR, brand VARCHAR);
