SELECT count(*)::INTEGER AS categories, count(*) FILTER (category_id = category_last)::INTEGER AS leaves,
       coalesce(max(depth), 0)::INTEGER AS max_depth, $fallback_for::VARCHAR AS fallback_for
FROM category
