SELECT brand_id IS NOT NULL AS is_branded, count() AS n, min(observed_second) AS observed_from,
       max(observed_second) AS observed_to
FROM current_deal
GROUP BY is_branded
ORDER BY is_branded
