-- name: outcomes
-- in: duplicate, cell, quarantine out:
-- The outcome of the rows of each file; file 0 has the days to which change points were carried.
SELECT file, 'same_key' AS kind, NULL AS name, sum(rows)::DOUBLE AS rows FROM duplicate WHERE kind = 'same_key' GROUP BY file
UNION ALL
SELECT file, 'same_day', NULL, sum(rows)::DOUBLE FROM duplicate WHERE kind = 'same_day' GROUP BY file
UNION ALL
SELECT 0, 'carried', NULL, sum(rows)::DOUBLE FROM cell WHERE file = 0 GROUP BY file
UNION ALL
SELECT file, 'quarantined', code, count(*)::DOUBLE FROM quarantine GROUP BY file, code
UNION ALL
SELECT file, 'dropped', value, sum(rows)::DOUBLE
FROM (SELECT file, rows, unnest(string_split(dropped, ' ')) AS value FROM cell WHERE dropped IS NOT NULL)
GROUP BY file, value
ORDER BY file, kind, name;

-- name: summary
-- in: final_shelf_day, final_listing, final_category, previous_listing, previous_category, conflict, listing_key, attribute, feed_file out:
-- The first and last times of all observations, the countries of the listings, and the numbers of serving shelves in
-- the previous snapshot and in this one: a shelf (a retailer's department in a country) serves if it has enough
-- products observed in the 90 days before the newest observation. Rows of the same listing and time with different
-- prices: how many, of how many listings, and the most frequent.
WITH cells AS (
  SELECT 'before' AS snapshot, country, retailer_id, department, last_day,
    max(last_day) OVER () AS newest
  FROM previous_listing JOIN previous_category USING (category_id)
  UNION ALL
  SELECT 'after', country, retailer_id, department, last_day, max(last_day) OVER ()
  FROM final_listing JOIN final_category USING (category_id)
),
serving AS (
  SELECT snapshot, country, retailer_id, department
  FROM cells WHERE last_day > newest - INTERVAL 90 DAY
  GROUP BY ALL HAVING count(*) >= $thin_below::INTEGER
),
conflict_example AS (
  SELECT {'file': feed_file.name, 'retailer': listing_key.platform, 'country': listing_key.country,
    'listing_id': listing_key.product_id, 'product_name': product_name.value,
    'observed_at': strftime(observed_at, '%Y-%m-%dT%H:%M:%SZ'), 'prices': prices} AS example
  FROM conflict JOIN listing_key USING (listing_id) JOIN attribute USING (listing_id)
  LEFT JOIN feed_file ON feed_file.number = conflict.file
  ORDER BY rows DESC, listing_id, observed_at LIMIT 10
)
SELECT strftime(min(day::TIMESTAMP + to_seconds(first_second)), '%Y-%m-%dT%H:%M:%SZ') AS observed_from,
  strftime(max(day::TIMESTAMP + to_seconds(last_second)), '%Y-%m-%dT%H:%M:%SZ') AS observed_to,
  (SELECT list(DISTINCT country ORDER BY country) FROM final_listing) AS countries,
  (SELECT count(*) FROM serving WHERE snapshot = 'before')::INTEGER AS shelves_before,
  (SELECT count(*) FROM serving WHERE snapshot = 'after')::INTEGER AS shelves_after,
  (SELECT {'listings': count(DISTINCT listing_id)::INTEGER, 'rows': coalesce(sum(rows), 0)::DOUBLE,
    'examples': (SELECT coalesce(list(example), []) FROM conflict_example)} FROM conflict) AS conflicts
FROM final_shelf_day;
