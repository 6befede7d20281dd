-- Coverage cells at a moment: listings priced before it, those observed in the days [since, before), those with a brand.
-- Stale if fewer than a quarter were observed, else thin if fewer than thin_below() were, else serving.
WITH counted AS (
  SELECT retailer_id, country, category_id, count(*) AS priced_count, count(brand_id) AS known_brand_count
  FROM listing WHERE first_day < $before::DATE
  GROUP BY retailer_id, country, category_id
), covered AS (
  SELECT retailer_id, country, department AS category_root, sum(priced_count)::INTEGER AS priced_product_count,
         coalesce(sum(listing_count), 0)::INTEGER AS recent_priced_product_count,
         sum(known_brand_count)::INTEGER AS known_brand_product_count
  FROM counted LEFT JOIN seen_count USING (retailer_id, country, category_id) JOIN category USING (category_id)
  GROUP BY retailer_id, country, department
), observed AS (
  SELECT retailer_id, country, department AS category_root, max(epoch(day) + last_second) AS last_observed
  FROM department_day JOIN category USING (category_id)
  WHERE day < $before::DATE
  GROUP BY retailer_id, country, department
)
SELECT platform, country, category_root, priced_product_count, recent_priced_product_count, known_brand_product_count,
       CASE WHEN 4 * recent_priced_product_count < priced_product_count THEN 'stale'
            WHEN recent_priced_product_count < thin_below() THEN 'thin' ELSE 'serving' END AS quality_status,
       quality_status = 'serving' AS is_serving_eligible,
       strftime(make_timestamp((last_observed * 1000000)::BIGINT), '%Y-%m-%dT%H:%M:%SZ') AS last_observed_at
FROM covered JOIN retailer USING (retailer_id) JOIN observed USING (retailer_id, country, category_root)
