-- The changes of size of a scope with the prices at both sizes: medians of the days, up to `max_gap_days`, on which the size before
-- was last seen and the size after first was; unknown where the size before was last seen before the answer's months.
WITH priced AS (
  SELECT listing_id, first_day,
         quantile_disc(scope_observation.price, 0.5) FILTER (day <= previous_last AND day >= previous_first AND day > previous_last - $max_gap_days::INTEGER
           AND previous_last >= $counted_from::DATE) AS previous_price,
         quantile_disc(scope_observation.price, 0.5) FILTER (day >= first_day AND day < end_day AND day < first_day + $max_gap_days::INTEGER) AS price
  FROM scope_observation JOIN size_step USING (listing_id) GROUP BY listing_id, first_day
), named AS (
  SELECT listing_id, product_uid, entity_uid, product_name, brand FROM listing
  WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
)
SELECT step.retailer_id, product_uid, entity_uid, product_name, brand, (first_day - DATE '1970-01-01')::INTEGER AS day,
       (previous_last - DATE '1970-01-01')::INTEGER AS previous_day, step.size::DOUBLE AS size, previous_size::DOUBLE AS previous_size, dimension,
       price, previous_price, step.size < previous_size AS is_shrunk, log_relative(previous_size, step.size) AS size_log,
       1 + sign(price - previous_price)::INTEGER AS price_move,
       1 + sign(price::HUGEINT * previous_size - previous_price::HUGEINT * step.size)::INTEGER AS unit_move
FROM size_step AS step JOIN named USING (listing_id) LEFT JOIN priced USING (listing_id, first_day)
