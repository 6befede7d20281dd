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
  SELECT brand_norm, coalesce(sum(mentions) FILTER (day >= $from::DATE), 0)::INTEGER AS mentions,
         coalesce(sum(mentions) FILTER (day < $from::DATE), 0)::INTEGER AS prior_mentions,
         coalesce(sum(reach) FILTER (day >= $from::DATE), 0)::DOUBLE AS reach,
         coalesce(sum(rated_reach) FILTER (day >= $from::DATE), 0)::DOUBLE AS rated_reach,
         coalesce(sum(engagements) FILTER (day >= $from::DATE), 0)::DOUBLE AS engagements
  FROM social_brand_day
  WHERE category_root = $category_root::VARCHAR AND day >= $prior_from::DATE AND day < $to::DATE
    AND ($platform::VARCHAR IS NULL OR platform = $platform::VARCHAR) AND NOT ($organic_only::BOOLEAN AND is_ad)
  GROUP BY brand_norm
), classed AS (
  SELECT *, social_status(mentions, prior_mentions) AS status FROM measured WHERE mentions + prior_mentions > 0
), matched AS (
  SELECT *, row_number() OVER (ORDER BY social_tier(status),
    CASE WHEN social_tier(status) = 1 THEN social_movement(mentions, prior_mentions) END DESC,
    mentions DESC, prior_mentions DESC, brand_norm)::INTEGER AS place
  FROM classed WHERE $status::VARCHAR = 'all' OR status = $status::VARCHAR
), named AS (
  SELECT place, coalesce(brand.brand, social_brand.brand, brand_norm) AS brand, matched.* EXCLUDE (place),
         shrunken_ratio(mentions, prior_mentions) AS movement
  FROM matched LEFT JOIN brand USING (brand_norm) LEFT JOIN social_brand USING (brand_norm)
  WHERE place <= $limit::INTEGER
)
SELECT total.*, (SELECT count(*) FROM classed)::INTEGER AS subject_count,
       (SELECT list(named ORDER BY place) FROM named) AS brands
FROM total
