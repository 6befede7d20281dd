-- The rows of this refresh that may be kept, over all staged files.
CREATE VIEW arrival AS
SELECT file, country, platform, listing_id AS product_id, observed_at, scraped_at, price, list_price, promo_flag,
  in_stock, seller_id, star_rating, review_count, attributes
FROM read_parquet(getvariable('lake').staged || '/price_observations-*.parquet') WHERE fault IS NULL;

CREATE VIEW described AS
SELECT file, country, platform, listing_id AS product_id, last_seen_at, attributes
FROM read_parquet(getvariable('lake').staged || '/product_catalogue-*.parquet') WHERE fault IS NULL;
