SELECT platform, category_root, day::VARCHAR AS day, sum(posts + noise_posts)::INTEGER AS posts,
       strftime(max(last_at), '%Y-%m-%dT%H:%M:%SZ') AS last_at
FROM social_day
GROUP BY platform, category_root, day
ORDER BY platform, day, category_root
