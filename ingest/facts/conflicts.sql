-- in: conflict, listing_key, attribute, feed_file out:
-- Rows of the same listing and time with different prices: how many, of how many listings, and the most frequent.
SELECT count(DISTINCT listing_id)::INTEGER AS listings, coalesce(sum(rows), 0)::DOUBLE AS rows,
  (SELECT coalesce(list(example), []) FROM (
    SELECT {'file': feed_file.name, 'retailer': listing_key.platform, 'country': listing_key.country,
      'listing_id': listing_key.product_id, 'product_name': product_name.value,
      'observed_at': strftime(observed_at, '%Y-%m-%dT%H:%M:%SZ'), 'prices': prices} AS example
    FROM conflict JOIN listing_key USING (listing_id) JOIN attribute USING (listing_id)
    LEFT JOIN feed_file ON feed_file.number = conflict.file
    ORDER BY rows DESC, listing_id, observed_at LIMIT 10
  )) AS examples
FROM conflict;
