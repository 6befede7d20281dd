SELECT * FROM product_day($listing_ids::VARCHAR, $country::VARCHAR, $first::INTEGER, $last::INTEGER,
  $first_listing::INTEGER, $last_listing::INTEGER, $month_from::VARCHAR, $month_to::VARCHAR,
  $from::DATE, $to::DATE, $since::DATE, $before::DATE)
ORDER BY day, listing_id
