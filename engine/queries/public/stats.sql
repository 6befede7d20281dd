-- Counts of rows come from the files' metadata: nothing is scanned.
SELECT (SELECT count(*) FROM listing)::INTEGER AS listings,
       (SELECT count(*) FROM observation)::DOUBLE AS observations,
       (SELECT count(*) FROM retailer)::INTEGER AS retailers,
       (SELECT count(*) FROM brand)::INTEGER AS brands,
       (SELECT count(*) FROM category)::INTEGER AS categories,
       (SELECT count(*) FROM category WHERE category_id = category_last)::INTEGER AS leaves,
       (SELECT max(depth) FROM category) AS max_depth
