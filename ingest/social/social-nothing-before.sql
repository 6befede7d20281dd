-- The same tables where the lake has no posts.
CREATE TABLE previous_sighting (platform VARCHAR, post_key UBIGINT, collected_at TIMESTAMP, posted_at TIMESTAMP,
  category_root VARCHAR, brand_norms VARCHAR[], gpc_codes VARCHAR[], theme VARCHAR, views BIGINT, engagements BIGINT,
  is_ad BOOLEAN, is_noise BOOLEAN);
CREATE TABLE previous_social_brand (brand_norm VARCHAR, brand VARCHAR);
