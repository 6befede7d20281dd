-- When a scope was first and last observed in a window, in seconds since 1970. Of a whole scope its shelves say it, of a
-- brand or a product type the times of its listings.
CREATE MACRO by_shelf.observed_between(
  in_country, in_first, in_last, in_retailer, in_brand, in_from, in_to, in_month_from, in_month_to,
  in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT min(epoch(day) + first_second) AS observed_min, max(epoch(day) + last_second) AS observed_max
FROM shelf_day
WHERE country = in_country AND day >= in_from AND day < in_to AND category_id BETWEEN in_first AND in_last
  AND (in_retailer IS NULL OR retailer_id = in_retailer);

CREATE MACRO by_listing.observed_between(
  in_country, in_first, in_last, in_retailer, in_brand, in_from, in_to, in_month_from, in_month_to,
  in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT min(epoch(day) + observed_second) AS observed_min, max(epoch(day) + observed_second) AS observed_max
FROM observation_time
WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to AND day >= in_from AND day < in_to
  AND category_id BETWEEN in_first AND in_last
  AND listing_id IN (
    SELECT listing_id FROM listing
    WHERE country = in_country
      AND (in_retailer IS NULL OR retailer_id = in_retailer)
      AND (in_brand IS NULL OR brand_id = in_brand)
      AND (in_gpc_first IS NULL OR gpc_id BETWEEN in_gpc_first AND in_gpc_last));
