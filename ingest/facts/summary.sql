-- in: final_shelf_day, final_listing out:
-- The first and the last moment of all observations, and the countries of the listings.
SELECT strftime(min(day::TIMESTAMP + to_seconds(first_second)), '%Y-%m-%dT%H:%M:%SZ') AS observed_from,
  strftime(max(day::TIMESTAMP + to_seconds(last_second)), '%Y-%m-%dT%H:%M:%SZ') AS observed_to,
  (SELECT list(DISTINCT country ORDER BY country) FROM final_listing) AS countries
FROM final_shelf_day;
