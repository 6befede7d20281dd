COPY (FROM catalogue($country::VARCHAR) ORDER BY platform, listing_id, last_seen_at) TO $path (FORMAT parquet, COMPRESSION zstd);
