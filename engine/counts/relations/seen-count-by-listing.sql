-- How many listings of each retailer, country and category were observed in the days [since, before).
SELECT retailer_id, country, category_id, count(*)::INTEGER AS listing_count
FROM seen_listing GROUP BY retailer_id, country, category_id
