-- Coverage cells at a moment: listings priced before it, those of them seen in the days [since, before), those of a
-- known brand.
SELECT retailer.platform, listing.country, category.department AS category_root,
       count(*)::INTEGER AS priced_product_count,
       count(*) FILTER (last_day >= $since::DATE)::INTEGER AS recent_priced_product_count,
       count(brand_id)::INTEGER AS known_brand_product_count,
       max(observed_at)::VARCHAR AS last_observed_at
FROM listing JOIN retailer USING (retailer_id) JOIN category USING (category_id)
WHERE first_day < $before::DATE
GROUP BY ALL
ORDER BY ALL
