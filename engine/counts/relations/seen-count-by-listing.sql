-- How many listings of each retailer, country and department were observed in the days [since, before).
SELECT retailer_id, country, department, count(*)::INTEGER AS listing_count
FROM seen_listing JOIN category USING (category_id)
GROUP BY retailer_id, country, department
