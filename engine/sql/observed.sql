-- When a scope was first and last observed in a window, in seconds since 1970: by its shelves, of a product type by the
-- times of its listings.
CREATE MACRO observed_between(
  in_country, in_first, in_last, in_retailer, in_from, in_to, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT min(epoch(day) + first_second) AS observed_min, max(epoch(day) + last_second) AS observed_max
FROM (
  SELECT day, first_second, last_second FROM shelf_day
  WHERE in_gpc_first IS NULL
    AND country = in_country AND day >= in_from AND day < in_to AND category_id BETWEEN in_first AND in_last
    AND (in_retailer IS NULL OR retailer_id = in_retailer)
  UNION ALL
  SELECT day, observed_second, observed_second FROM observation_time
  WHERE in_gpc_first IS NOT NULL
    AND country = in_country AND month BETWEEN strftime(in_from, '%Y-%m') AND strftime(in_to, '%Y-%m')
    AND day >= in_from AND day < in_to AND category_id BETWEEN in_first AND in_last
    AND listing_id IN (
      SELECT listing_id FROM listing
      WHERE country = in_country AND gpc_id BETWEEN in_gpc_first AND in_gpc_last
        AND (in_retailer IS NULL OR retailer_id = in_retailer))
);

-- The same for the listings of one brand, whose own times are asked.
CREATE MACRO brand_observed_between(
  in_country, in_first, in_last, in_retailer, in_brand, in_from, in_to, in_month_from, in_month_to,
  in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT min(epoch(day) + observed_second) AS observed_min, max(epoch(day) + observed_second) AS observed_max
FROM observation_time
WHERE country = in_country AND month BETWEEN in_month_from AND in_month_to AND day >= in_from AND day < in_to
  AND category_id BETWEEN in_first AND in_last
  AND listing_id IN (
    SELECT listing_id FROM listing
    WHERE country = in_country AND brand_id = in_brand AND (in_retailer IS NULL OR retailer_id = in_retailer)
      AND (in_gpc_first IS NULL OR gpc_id BETWEEN in_gpc_first AND in_gpc_last));
