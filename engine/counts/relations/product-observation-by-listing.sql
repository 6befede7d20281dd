-- The observations of a product's listings in the days [seen_from, to) and [since, before), from those by listing.
SELECT listing_id, day, price, list_price, promo_flag, in_stock, observed_second FROM queried_listing_day
WHERE day >= $seen_from::DATE AND day < $to::DATE OR day >= $since::DATE AND day < $before::DATE
