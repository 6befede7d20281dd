-- The observations of a scope with the regular price of their listing: a fall is a sale if the price returns to exactly what it was
-- (symmetric V filter). Sales within a sale are lower, so that the highest price that a sale returns to is the regular one.
WITH posted AS MATERIALIZED (
  SELECT listing_id, category_id, day, price, lag(price) OVER own AS before, lag(day) OVER own AS before_day
  FROM scope_observation WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
  WINDOW own AS (PARTITION BY listing_id ORDER BY day)
), fall AS (
  SELECT listing_id, day AS start, before AS regular FROM posted
  WHERE price < before AND day - before_day <= max_sale_days()
), sale AS (
  SELECT fall.listing_id, start, regular, min(posted.day) AS until
  FROM fall JOIN posted ON posted.listing_id = fall.listing_id AND posted.day > start
    AND posted.day <= start + max_sale_days() AND posted.price >= regular
  GROUP BY fall.listing_id, start, regular HAVING arg_min(posted.price, posted.day) = regular
)
SELECT posted.listing_id, any_value(category_id) AS category_id, day, any_value(price) AS price,
       coalesce(max(sale.regular), any_value(price)) AS regular
FROM posted LEFT JOIN sale ON sale.listing_id = posted.listing_id AND day >= start AND day < until
GROUP BY posted.listing_id, day
