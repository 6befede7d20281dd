-- Of each month the figure that was released last before a day, and how many were by then.
SELECT period::VARCHAR AS period, value::DOUBLE AS value, released_on::VARCHAR AS released_on,
       (count(*) OVER (PARTITION BY period))::INTEGER AS vintage_count
FROM official_figure
WHERE source = $source::VARCHAR AND series = $series::VARCHAR AND country = $country::VARCHAR
  AND released_on < $released_before::DATE AND period >= $official_from::DATE AND period < $official_to::DATE
QUALIFY row_number() OVER (PARTITION BY period ORDER BY released_on DESC) = 1
ORDER BY period
