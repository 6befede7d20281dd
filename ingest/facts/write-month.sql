-- in: merged, listing_month, $partition out: observations.parquet, observation_times.parquet
COPY (
  SELECT category_id, listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock FROM merged
) TO (getvariable('partition')['observations_to']) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);

COPY (
  SELECT category_id, listing_id, day, observed_second FROM merged
) TO (getvariable('partition')['observation_times_to']) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);

COPY (
  SELECT category_id, listing_id, retailer_id, brand_id, (getvariable('partition')['month'] || '-01')::DATE AS period,
    price, observation_count, last_in_stock AS in_stock,
    is_promo(last_promo_flag, last_price, last_list_price) AS promo
  FROM listing_month
) TO (getvariable('partition')['listing_months_to']) (FORMAT parquet, COMPRESSION lz4_raw);
