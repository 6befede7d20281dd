-- name: due
-- in: final_shelf_day, previous_index_month, merged_month out: index_log
-- Of each country the first month with prices, the last one that is over on a day, and the last one that is published, as
-- months since year 0. A month is over when it has ended and every retailer seen in it or in the month before has been seen
-- on its last day or later; a retailer that stays away delays it by a month. Late months are published and have changed since.
CREATE TABLE index_log (country VARCHAR, category_id INTEGER, retailer_id INTEGER, method VARCHAR, month INTEGER,
  base_month INTEGER, log BIGINT, listing_count INTEGER);

WITH retailer_day AS (
  SELECT country, retailer_id, min(day) AS first_day, max(day) AS last_day FROM final_shelf_day GROUP BY ALL
),
ended AS (
  SELECT country, min(first_day) AS first_day,
    least(month_day(month_number(max(last_day))), month_day(month_number($today::DATE) - 1)) AS month
  FROM retailer_day GROUP BY country
),
awaited AS (
  SELECT country, count(*) FILTER (last_day BETWEEN month - INTERVAL 1 MONTH AND last_day(month) - 1
    AND $today::DATE < month + INTERVAL 2 MONTH) AS retailers
  FROM retailer_day JOIN ended USING (country) GROUP BY country
),
published AS (
  SELECT country, max(month) AS month FROM previous_index_month GROUP BY country
)
SELECT country, month_number(first_day) AS first_month,
  month_number(ended.month) - (retailers > 0)::INTEGER AS last_month, month_number(published.month) AS published_month,
  list_sort(coalesce(list(merged_month.month) FILTER (merged_month.month <= strftime(published.month, '%Y-%m')), [])) AS late
FROM ended JOIN awaited USING (country) LEFT JOIN published USING (country) LEFT JOIN merged_month USING (country)
GROUP BY ALL
ORDER BY country;

-- name: departments
-- in: final_category out:
-- The categories of each department, parents before their children.
SELECT list({category_id: category_id, category_last: category_last} ORDER BY category_id) AS categories
FROM final_category GROUP BY department ORDER BY min(category_id);

-- name: published
-- in: previous_index_month, final_category, final_retailer out:
-- What is published of a country from a month on; what began again comes after what was before.
SELECT category_id, retailer_id, method, month_number(month) AS month, month_number(base_month) AS base_month, log::DOUBLE AS log
FROM previous_index_month
JOIN final_category ON path = category_path
LEFT JOIN final_retailer ON platform = retailer
WHERE country = $country AND month_number(month) >= $from AND (retailer IS NULL OR platform IS NOT NULL)
ORDER BY base_month;

-- name: write
-- in: $lake, $snapshot_id, index_log, previous_index_month, final_category, final_retailer out: index_months.parquet
-- The published months as they are, except those of categories and retailers that the lake has no more, and further ones.
-- Returns how many they are.
CREATE TABLE index_month AS
SELECT country, category_path, retailer, method, month, base_month, log, listing_count, first_published
FROM previous_index_month SEMI JOIN final_category ON path = category_path
WHERE retailer IS NULL OR retailer IN (SELECT platform FROM final_retailer)
UNION ALL
SELECT country, path, platform, method, month_day(month), month_day(base_month), log, listing_count,
  getvariable('snapshot_id')
FROM index_log JOIN final_category USING (category_id) LEFT JOIN final_retailer USING (retailer_id);

COPY (FROM index_month ORDER BY country, category_path, retailer NULLS FIRST, method, month)
TO (getvariable('lake')['snapshot'] || '/index_months.parquet') (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);

SELECT count(*)::INTEGER AS rows FROM index_month;
