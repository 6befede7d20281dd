-- The changes of size of the new listings of a scope in the days [changed_from, to): between sizes that are seen on two days, or
-- that a listing has for days, each in a pack that can be compared with the one before. Packs that are sold side by side under one
-- listing come and go: a size that returns changes nothing.
WITH sold AS (
  SELECT listing_id, retailer_id, last_day AS observed_to FROM listing
  WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER AND condition = 'new' AND size_milli IS NOT NULL
    AND ($gpc_first::INTEGER IS NULL OR gpc_id BETWEEN $gpc_first::INTEGER AND $gpc_last::INTEGER)
), held AS (
  SELECT listing_id, retailer_id, first_day, last_day, size, dimension, coalesce(lead(first_day) OVER own, observed_to + 1) AS end_day
  FROM listing_size JOIN sold USING (listing_id) WINDOW own AS (PARTITION BY listing_id ORDER BY first_day)
), counted AS (
  SELECT *, min(first_day) OVER same AS first_of_size, max(last_day) OVER same AS last_of_size
  FROM held WHERE last_day > first_day OR end_day - first_day >= min_size_days()
  WINDOW same AS (PARTITION BY listing_id, dimension, size)
), compared AS (
  SELECT *, lag(first_day) OVER own AS previous_first, lag(last_day) OVER own AS previous_last, lag(size) OVER own AS previous_size,
         lag(dimension) OVER own AS previous_dimension, lag(last_of_size) OVER own AS last_of_previous
  FROM counted WINDOW own AS (PARTITION BY listing_id ORDER BY first_day)
)
SELECT listing_id, retailer_id, first_day, end_day, size, dimension, previous_first, previous_last, previous_size
FROM compared
WHERE dimension = previous_dimension AND is_resized(previous_size, size)
  AND first_day = first_of_size AND previous_last = last_of_previous AND first_day >= $changed_from::DATE AND first_day < $to::DATE
