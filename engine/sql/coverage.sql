-- Coverage cells at a moment: listings priced before it, those of them seen in the days [in_since, in_before), those of
-- a known brand. Stale below a quarter seen, else thin below the snapshot's number seen, else serving.
CREATE MACRO coverage_cell(in_since, in_before) AS TABLE
WITH counted AS (
  SELECT retailer_id, country, department AS category_root, count(*)::INTEGER AS priced_product_count,
         count(*) FILTER (last_day >= in_since)::INTEGER AS recent_priced_product_count,
         count(brand_id)::INTEGER AS known_brand_product_count, max(observed_at) AS last_observed
  FROM listing JOIN category USING (category_id)
  WHERE first_day < in_before
  GROUP BY retailer_id, country, department
)
SELECT platform, country, category_root, priced_product_count, recent_priced_product_count, known_brand_product_count,
       CASE WHEN 4 * recent_priced_product_count < priced_product_count THEN 'stale'
            WHEN recent_priced_product_count < thin_below() THEN 'thin' ELSE 'serving' END AS quality_status,
       quality_status = 'serving' AS is_serving_eligible,
       strftime(last_observed, '%Y-%m-%dT%H:%M:%SZ') AS last_observed_at
FROM counted JOIN retailer USING (retailer_id);
