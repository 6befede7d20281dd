-- The listings observed in the days [since, before), at a moment after every observation.
SELECT listing_id, retailer_id, category_id, country FROM listing
WHERE last_day >= $since::DATE AND last_day < $before::DATE
