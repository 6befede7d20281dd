SELECT count(*)::INTEGER AS rows FROM read_parquet(getvariable('file')['staged']);
