COPY (
  SELECT category_id, listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock FROM merged
) TO (getvariable('partition').observations_to) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);

COPY (
  SELECT category_id, listing_id, day, observed_second FROM merged
) TO (getvariable('partition').times_to) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);
