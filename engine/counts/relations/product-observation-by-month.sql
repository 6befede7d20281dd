-- The observations of a product's listings in the days [seen_from, to) and [since, before), from those of the months.
-- The bounds of categories and listings let DuckDB skip row groups without any of them.
WITH member AS MATERIALIZED (
  SELECT unnest(string_split($listing_ids::VARCHAR, ','))::INTEGER AS listing_id
), timed AS (
  SELECT listing_id, day, observed_second FROM observation_time
  WHERE country = $country::VARCHAR AND month BETWEEN $month_from::VARCHAR AND $month_to::VARCHAR
    AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
    AND listing_id BETWEEN $first_listing::INTEGER AND $last_listing::INTEGER
    AND listing_id IN (SELECT listing_id FROM member)
    AND (day >= $seen_from::DATE AND day < $to::DATE OR day >= $since::DATE AND day < $before::DATE)
), priced AS (
  SELECT listing_id, day, price, list_price, promo_flag, in_stock FROM observation
  WHERE country = $country::VARCHAR AND month BETWEEN $month_from::VARCHAR AND $month_to::VARCHAR
    AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
    AND listing_id BETWEEN $first_listing::INTEGER AND $last_listing::INTEGER
    AND listing_id IN (SELECT listing_id FROM member)
    AND (day >= $seen_from::DATE AND day < $to::DATE OR day >= $since::DATE AND day < $before::DATE)
)
SELECT listing_id, day, price, list_price, promo_flag, in_stock, observed_second FROM priced JOIN timed USING (listing_id, day)
