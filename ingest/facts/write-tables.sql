-- in: final_category, final_brand, final_retailer, final_attribute, taxonomy, $lake out: categories.parquet, brands.parquet, retailers.parquet, listing_attributes.parquet, category_taxonomy.parquet
-- The tables of one file.
COPY final_category TO (getvariable('lake')['snapshot'] || '/categories.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY final_brand TO (getvariable('lake')['snapshot'] || '/brands.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY final_retailer TO (getvariable('lake')['snapshot'] || '/retailers.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY (FROM final_attribute ORDER BY listing_id)
TO (getvariable('lake')['snapshot'] || '/listing_attributes.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY (FROM taxonomy ORDER BY path)
TO (getvariable('lake')['snapshot'] || '/category_taxonomy.parquet') (FORMAT parquet, COMPRESSION zstd);
