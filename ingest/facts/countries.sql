SELECT DISTINCT country FROM final_listing ORDER BY country;
