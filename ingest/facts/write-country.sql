-- in: $partition, final_listing, final_shelf_day, final_category out: listings.parquet, shelf_days.parquet, shelf_months.parquet, department_days.parquet
-- Writes the tables with one file per country. Returns the rows of each file.
COPY (SELECT * EXCLUDE (country), country FROM final_listing WHERE country = getvariable('partition')['country'])
TO (getvariable('partition')['listings_to']) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);

CREATE OR REPLACE TEMP VIEW country_shelf_day AS
FROM final_shelf_day WHERE country = getvariable('partition')['country'];

SET VARIABLE rows = (SELECT count(*) FROM country_shelf_day);

COPY (SELECT * EXCLUDE (country), country FROM country_shelf_day)
TO (getvariable('partition')['shelf_days_to'])
(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE (row_group_size(getvariable('rows'))));

-- What a service reads of them when it starts.
COPY (
  SELECT category_id, retailer_id, date_trunc('month', day)::DATE AS period,
    min(day + to_seconds(first_second)) AS first_observed_at, max(day + to_seconds(last_second)) AS last_observed_at, country
  FROM country_shelf_day GROUP BY ALL ORDER BY category_id, retailer_id, period
) TO (getvariable('partition')['shelf_months_to']) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);

COPY (
  WITH change AS (
    SELECT category_id, retailer_id, first_day AS day, 1 AS started, 0 AS ended, 0 AS observed, NULL AS second
    FROM final_listing WHERE country = getvariable('partition')['country'] AND first_day IS NOT NULL
    UNION ALL
    SELECT category_id, retailer_id, last_day, 0, 1, 0, NULL
    FROM final_listing WHERE country = getvariable('partition')['country'] AND last_day IS NOT NULL
    UNION ALL
    SELECT category_id, retailer_id, day, 0, 0, observation_count, last_second FROM country_shelf_day
  )
  SELECT root.category_id, retailer_id, day, sum(started)::INTEGER AS started_count, sum(ended)::INTEGER AS ended_count,
    sum(observed)::INTEGER AS observation_count, max(second) AS last_second, getvariable('partition')['country'] AS country
  FROM change JOIN final_category AS shelf USING (category_id) JOIN final_category AS root ON root.path = shelf.department
  GROUP BY ALL ORDER BY root.category_id, retailer_id, day
) TO (getvariable('partition')['department_days_to']) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);

SELECT (SELECT count(*) FROM final_listing WHERE country = getvariable('partition')['country'])::INTEGER AS listings,
  getvariable('rows')::INTEGER AS shelf_days,
  (SELECT count(*) FROM read_parquet(getvariable('partition')['shelf_months_to']))::INTEGER AS shelf_months,
  (SELECT count(*) FROM read_parquet(getvariable('partition')['department_days_to']))::INTEGER AS department_days;
