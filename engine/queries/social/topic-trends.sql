WITH scope_day AS (
  SELECT day, posts, noise_posts, first_at, last_at FROM social_day
  WHERE category_root = $category_root::VARCHAR AND day >= $prior_from::DATE AND day < $to::DATE
    AND ($platform::VARCHAR IS NULL OR platform = $platform::VARCHAR) AND NOT ($organic_only::BOOLEAN AND is_ad)
), total AS (
  SELECT coalesce(sum(posts) FILTER (day >= $from::DATE), 0)::INTEGER AS posts,
         coalesce(sum(noise_posts) FILTER (day >= $from::DATE), 0)::INTEGER AS noise_posts,
         epoch(min(first_at)) AS observed_min, epoch(max(last_at)) AS observed_max
  FROM scope_day
), measured AS (
  SELECT theme, coalesce(sum(posts) FILTER (day >= $from::DATE), 0)::INTEGER AS posts,
         coalesce(sum(posts) FILTER (day < $from::DATE), 0)::INTEGER AS prior_posts,
         coalesce(sum(reach) FILTER (day >= $from::DATE), 0)::DOUBLE AS reach
  FROM social_theme_day
  WHERE category_root = $category_root::VARCHAR AND day >= $prior_from::DATE AND day < $to::DATE
    AND ($platform::VARCHAR IS NULL OR platform = $platform::VARCHAR) AND NOT ($organic_only::BOOLEAN AND is_ad)
  GROUP BY theme
), classed AS (
  SELECT *, social_status(posts, prior_posts) AS status FROM measured WHERE posts + prior_posts > 0
), ranked AS (
  SELECT *, row_number() OVER (ORDER BY social_tier(status),
    CASE WHEN social_tier(status) = 1 THEN social_movement(posts, prior_posts) END DESC,
    posts DESC, prior_posts DESC, theme)::INTEGER AS place
  FROM classed
), top AS MATERIALIZED (
  SELECT * FROM ranked WHERE place <= $limit::INTEGER
), spanned AS (
  SELECT theme, gpc_code AS code, sum(posts)::INTEGER AS posts
  FROM social_theme_type SEMI JOIN top USING (theme)
  WHERE category_root = $category_root::VARCHAR AND day >= $prior_from::DATE AND day < $to::DATE
    AND ($platform::VARCHAR IS NULL OR platform = $platform::VARCHAR) AND NOT ($organic_only::BOOLEAN AND is_ad)
  GROUP BY theme, gpc_code
), typed AS (
  SELECT theme, list({'code': code, 'title': gpc_node.title} ORDER BY posts DESC, code) AS product_types
  FROM spanned LEFT JOIN gpc_node USING (code) GROUP BY theme
), topic AS (
  SELECT place, top.* EXCLUDE (place), product_types, shrunken_ratio(top.posts, prior_posts) AS movement
  FROM top LEFT JOIN typed USING (theme)
)
SELECT total.*, (SELECT list(topic ORDER BY place) FROM topic) AS topics
FROM total
