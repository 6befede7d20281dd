-- Days to seconds: the first and the last moment of all observations.
SELECT strftime(min(day::TIMESTAMP + to_seconds(first_second)), '%Y-%m-%dT%H:%M:%SZ') AS observed_from,
  strftime(max(day::TIMESTAMP + to_seconds(last_second)), '%Y-%m-%dT%H:%M:%SZ') AS observed_to
FROM final_shelf_day;
