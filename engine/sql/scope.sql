-- The current listings of a scope, each with the first rule that leaves it out of headline statistics (null: none):
-- condition, accessory shelf strictly below the node asked for, representative floor, outlier fence. The floor is that
-- of the whole category, whatever the retailer: a tenth of the median price, at least 0.50; 0.50 under 30 listings.
-- The fence is Tukey's 1.5 IQR on log prices, since prices are skewed; its IQR is at least 0.10 and it needs 10 listings.
CREATE MACRO representative_listing(
  in_country, in_first, in_last, in_retailer, in_since, in_before, in_shelf_depth,
  in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
WITH graded AS (
  SELECT listing_id, retailer_id, brand_id, price, list_price, promo_flag, in_stock, star_rating, observed_at,
         CASE WHEN condition <> 'new' THEN 'refurbished_or_used'
              WHEN accessory_depth > in_shelf_depth THEN 'accessory_or_parts' END AS unlike
  FROM current_listing(in_country, in_first, in_last, in_since, in_before,
    in_gpc_first := in_gpc_first, in_gpc_last := in_gpc_last)
), price_floor AS (
  SELECT CASE WHEN count(*) < 30 THEN 50
    ELSE greatest(50, round(quantile_cont(price, 0.5) / 10)) END::INTEGER AS representative_floor
  FROM graded WHERE unlike IS NULL
), asked AS (
  SELECT graded.*, representative_floor,
         coalesce(unlike, CASE WHEN price < representative_floor THEN 'below_floor' END) AS unfit
  FROM graded, price_floor
  WHERE in_retailer IS NULL OR retailer_id = in_retailer
), quartile AS (
  SELECT count(*) AS n, quantile_cont(ln(price), [0.25, 0.75]) AS q FROM asked WHERE unfit IS NULL
)
SELECT asked.* EXCLUDE (unlike, unfit),
       CASE WHEN unfit IS NOT NULL THEN unfit
            WHEN n >= 10 AND ln(price) NOT BETWEEN q[1] - 1.5 * greatest(0.10, q[2] - q[1])
                                               AND q[2] + 1.5 * greatest(0.10, q[2] - q[1])
            THEN 'price_outliers' END AS exclusion
FROM asked, quartile;

-- How many listings each rule leaves out.
CREATE MACRO excluded_counts(in_exclusion) AS {
  below_floor: count(*) FILTER (in_exclusion = 'below_floor')::INTEGER,
  refurbished_or_used: count(*) FILTER (in_exclusion = 'refurbished_or_used')::INTEGER,
  accessory_or_parts: count(*) FILTER (in_exclusion = 'accessory_or_parts')::INTEGER,
  price_outliers: count(*) FILTER (in_exclusion = 'price_outliers')::INTEGER
};
