-- The changes of posted prices from the day `changed_from` on: observations of a listing whose price is not the one before, which
-- still stood. One that the next change takes back within days, and that change, are flapping.
WITH posted AS (
  SELECT listing_id, day, price, lag(price) OVER own AS previous_price, lag(day) OVER own AS previous_day
  FROM claim_observation
  WHERE $listing_ids::VARCHAR IS NULL OR listing_id IN (SELECT unnest(string_split($listing_ids::VARCHAR, ','))::INTEGER)
  WINDOW own AS (PARTITION BY listing_id ORDER BY day)
), changed AS (
  SELECT *, lag(day) OVER own AS last_change, lag(previous_price) OVER own AS last_previous,
         lead(day) OVER own AS next_change, lead(price) OVER own AS next_price
  FROM posted WHERE price <> previous_price AND day <= previous_day + $max_gap_days::INTEGER
  WINDOW own AS (PARTITION BY listing_id ORDER BY day)
), named AS (
  SELECT listing_id, retailer_id, product_uid, entity_uid, product_name, brand FROM listing
  WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
)
SELECT retailer_id, product_uid, entity_uid, product_name, brand, (day - DATE '1970-01-01')::INTEGER AS day, price,
       (previous_day - DATE '1970-01-01')::INTEGER AS previous_day, previous_price, price > previous_price AS is_rise,
       coalesce(next_price = previous_price AND next_change <= day + $flapping_days::INTEGER, false)
       OR coalesce(last_previous = price AND day <= last_change + $flapping_days::INTEGER, false) AS is_flapping
FROM changed JOIN named USING (listing_id) WHERE day >= $changed_from::DATE
