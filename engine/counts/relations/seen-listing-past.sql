-- The listings observed in the days [since, before), at a moment before the last observation.
SELECT listing_id, retailer_id, category_id, country FROM listing
WHERE listing_id IN (
  SELECT listing_id FROM observation
  WHERE month BETWEEN strftime($since::DATE, '%Y-%m') AND strftime($before::DATE, '%Y-%m')
    AND day >= $since::DATE AND day < $before::DATE)
