-- The changes of each shelf (retailer, department, country) by day: listings first observed, listings last observed, and
-- observations. In the order of the files: the days of a shelf follow each other.
SELECT ascii(country) * 256 + ascii(country[2]) AS country, retailer_id, category_id AS department_id,
       (day - DATE '1970-01-01')::INTEGER AS day, started_count AS started, ended_count AS ended,
       observation_count::DOUBLE AS observed
FROM department_day
