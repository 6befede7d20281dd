-- When a scope was first and last observed in the days [from, to); no row without an observation.
SELECT observed_from AS first_second, observed_to AS last_second FROM observed_between
