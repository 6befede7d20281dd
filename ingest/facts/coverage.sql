-- in: previous_listing, previous_category, final_listing, final_category out:
-- Shelves (a retailer's department in a country) with enough products seen in the 90 days before the newest
-- observation: in the snapshot before and in this one.
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
)
SELECT count(*) FILTER (WHERE snapshot = 'before')::INTEGER AS before,
  count(*) FILTER (WHERE snapshot = 'after')::INTEGER AS after
FROM serving;
