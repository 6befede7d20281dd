SELECT 'listings' AS name, count(*)::INTEGER AS rows, sum(hash(final_listing))::VARCHAR AS hash FROM final_listing
UNION ALL
SELECT 'categories', count(*)::INTEGER, sum(hash(final_category))::VARCHAR FROM final_category
UNION ALL
SELECT 'brands', count(*)::INTEGER, sum(hash(final_brand))::VARCHAR FROM final_brand
UNION ALL
SELECT 'retailers', count(*)::INTEGER, sum(hash(final_retailer))::VARCHAR FROM final_retailer
UNION ALL
SELECT 'listing_attributes', count(*)::INTEGER, sum(hash(final_attribute))::VARCHAR FROM final_attribute
UNION ALL
SELECT 'shelf_days', count(*)::INTEGER, sum(hash(final_shelf_day))::VARCHAR FROM final_shelf_day
UNION ALL
SELECT 'category_taxonomy', count(*)::INTEGER, sum(hash(taxonomy))::VARCHAR FROM taxonomy;
