SELECT 'social_sightings' AS name, count(*)::INTEGER AS rows, sum(hash(sighting))::VARCHAR AS hash FROM sighting
UNION ALL
SELECT 'social_brands', count(*)::INTEGER, sum(hash(final_social_brand))::VARCHAR FROM final_social_brand
UNION ALL
SELECT 'social_days', count(*)::INTEGER, sum(hash(final_social_day))::VARCHAR FROM final_social_day
UNION ALL
SELECT 'social_brand_days', count(*)::INTEGER, sum(hash(final_social_brand_day))::VARCHAR FROM final_social_brand_day
UNION ALL
SELECT 'social_theme_days', count(*)::INTEGER, sum(hash(final_social_theme_day))::VARCHAR FROM final_social_theme_day
UNION ALL
SELECT 'social_theme_types', count(*)::INTEGER, sum(hash(final_social_theme_type))::VARCHAR
FROM final_social_theme_type;
