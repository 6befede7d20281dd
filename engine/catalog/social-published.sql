WITH met AS (
  SELECT platform, day, sum(posts + noise_posts) AS posts,
         coalesce(sum(posts + noise_posts) FILTER (category_root = $category_root::VARCHAR), 0) AS department_posts,
         max(last_at) FILTER (category_root = $category_root::VARCHAR) AS department_at
  FROM social_day WHERE day < $before::DATE
  GROUP BY platform, day
), running AS (
  SELECT *, sum(posts) OVER (PARTITION BY platform ORDER BY day) AS posts_so_far,
         sum(posts) OVER (PARTITION BY platform) AS posts_in_all
  FROM met
)
-- A hundredth of the posts may be from before the feed began: old ones, met late.
SELECT platform, min(day) FILTER (100 * posts_so_far >= posts_in_all)::VARCHAR AS first_day,
       max(day)::VARCHAR AS last_day, (max(day) FILTER (department_posts > 0))::VARCHAR AS department_day,
       strftime(max(department_at), '%Y-%m-%dT%H:%M:%SZ') AS department_at
FROM running
GROUP BY platform
ORDER BY platform
