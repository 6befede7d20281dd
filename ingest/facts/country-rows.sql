SELECT (SELECT count(*) FROM final_listing WHERE country = $country::VARCHAR)::INTEGER AS listings,
  (SELECT count(*) FROM final_shelf_day WHERE country = $country::VARCHAR)::INTEGER AS shelf_days;
