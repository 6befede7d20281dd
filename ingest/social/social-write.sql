COPY sighting TO (getvariable('lake')['snapshot'] || '/social_sightings.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY final_social_brand TO (getvariable('lake')['snapshot'] || '/social_brands.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY final_social_day TO (getvariable('lake')['snapshot'] || '/social_days.parquet')
  (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);
COPY final_social_brand_day TO (getvariable('lake')['snapshot'] || '/social_brand_days.parquet')
  (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);
COPY final_social_theme_day TO (getvariable('lake')['snapshot'] || '/social_theme_days.parquet')
  (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);
COPY final_social_theme_type TO (getvariable('lake')['snapshot'] || '/social_theme_types.parquet')
  (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);
