-- When a scope was first and last observed in the days [from, to); no row without an observation.
SELECT observed_min AS first_second, observed_max AS last_second FROM observed_between WHERE observed_min IS NOT NULL
