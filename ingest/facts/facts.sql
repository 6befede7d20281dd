-- The rows that may be kept, by month, each with its listing's number.
COPY (
  SELECT listing_id, observed_at, scraped_at, price, list_price, promo_flag, in_stock, seller_id, file,
    country, date_trunc('month', observed_at)::DATE AS month
  FROM arrival JOIN listing_key USING (country, platform, product_id)
) TO (getvariable('lake')['facts']) (FORMAT parquet, PARTITION_BY (country, month), COMPRESSION lz4_raw);

-- What a month without rows, here or in the lake, is read from.
COPY (
  SELECT 0 AS listing_id, TIMESTAMP '2000-01-01' AS observed_at, TIMESTAMP '2000-01-01' AS scraped_at, 0 AS price,
    0 AS list_price, false AS promo_flag, false AS in_stock, '' AS seller_id, 0 AS file
  WHERE false
) TO (getvariable('lake')['facts'] || '/none.parquet') (FORMAT parquet);
COPY (
  SELECT 0 AS category_id, 0 AS listing_id, 0 AS retailer_id, 0 AS brand_id, DATE '2000-01-01' AS day, 0 AS price,
    0 AS list_price, false AS promo_flag, false AS in_stock
  WHERE false
) TO (getvariable('lake')['facts'] || '/no-observations.parquet') (FORMAT parquet);
COPY (SELECT 0 AS category_id, 0 AS listing_id, DATE '2000-01-01' AS day, 0 AS observed_second WHERE false)
TO (getvariable('lake')['facts'] || '/no-times.parquet') (FORMAT parquet);
COPY (
  SELECT 0 AS category_id, 0 AS listing_id, 0 AS retailer_id, 0 AS brand_id, DATE '2000-01-01' AS period, 0 AS price,
    0 AS observation_count, false AS in_stock, false AS promo
  WHERE false
) TO (getvariable('lake')['facts'] || '/no-listing-months.parquet') (FORMAT parquet);
