-- The listings of a country observed in the days [since, before), for nodes of a cluster (seen_count).
SELECT retailer_id, category_id FROM seen_listing WHERE country = $country::VARCHAR
