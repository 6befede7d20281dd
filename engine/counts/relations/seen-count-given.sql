-- The same as the nodes of a cluster counted it.
SELECT unnest(from_json($seen_counts::JSON, '[{"retailer_id": "INTEGER", "country": "VARCHAR", "category_id": "INTEGER", "listing_count": "INTEGER"}]'), recursive := true)
