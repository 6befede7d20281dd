-- in: kept_file, $partition out:
-- Writes a file of the previous snapshot, with the columns that the view adds, in row groups as large as before.
SET VARIABLE rows = (SELECT max(row_group_num_rows) FROM parquet_metadata(getvariable('partition')['kept_from']));

COPY kept_file TO (getvariable('partition')['kept_to'])
(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE (greatest(2048, getvariable('rows'))));
