-- name: figures
-- in: $lake, previous_official_figure out: official_figure, duplicate
-- The figures of official series, of each month one for each day on which one was released: of two of a day that of the
-- later refresh, then the lower one. Returns their part of the digest.
CREATE TABLE ranked_figure AS
SELECT *, row_number() OVER (PARTITION BY source, series, country, period, released_on
  ORDER BY file = 0, value, title, unit, file, file_row_number) AS rank
FROM (
  SELECT file, file_row_number, source, series, country, period, released_on, value, title, unit
  FROM read_parquet(getvariable('lake')['staged_glob'] || '/official_series-*.parquet', file_row_number = true)
  WHERE fault IS NULL
  UNION ALL
  SELECT 0, 0, source, series, country, period, released_on, value, title, unit FROM previous_official_figure
);

INSERT INTO duplicate SELECT file, 'same_key', count(*) FROM ranked_figure WHERE rank > 1 AND file > 0 GROUP BY file;

CREATE TABLE official_figure AS
SELECT source, series, country, period, released_on, value, title, unit
FROM ranked_figure WHERE rank = 1
ORDER BY source, series, country, period, released_on;
DROP TABLE ranked_figure;

SELECT 'official_figures' AS name, count(*)::INTEGER AS rows, sum(hash(official_figure))::VARCHAR AS hash
FROM official_figure;

-- name: write-figures
-- in: official_figure, $lake out: official_figures.parquet
COPY official_figure TO (getvariable('lake')['snapshot'] || '/official_figures.parquet')
(FORMAT parquet, COMPRESSION zstd);
