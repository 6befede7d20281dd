-- Every fourth post is collected again a week later: views are cumulative.
COPY (
  WITH collected AS (
    SELECT post_no, department, is_noise, topic, brand, views, getvariable('first_day')::TIMESTAMP AS start, second,
           unnest(CASE WHEN chance(post_no, 'again', 25) THEN [0, 1] ELSE [0] END) AS visit,
           second + 3600 + below(post_no, 'collected', 100000) + visit * 604800 AS collected_second
    FROM social_post
  )
  SELECT pick(['tiktok', 'tiktok', 'youtube'], post_no, 'platform') AS platform,
         (7000000000000000000 + post_no * 104729 + below(post_no, 'id', 104729))::VARCHAR AS post_id,
         as_time(start + to_seconds(second)) AS posted_at,
         as_time(start + to_seconds(collected_second)) AS collected_at,
         slug(department) AS category_root,
         CASE WHEN brand IS NULL OR is_noise THEN [] ELSE [brand.brand_norm] END AS brand_norms,
         CASE WHEN topic.gpc_codes IS NULL OR is_noise THEN [] ELSE split(topic.gpc_codes) END AS gpc_codes,
         CASE WHEN NOT is_noise THEN topic.theme END AS theme,
         (views * (1 + visit * uniform(post_no, 'growth')))::BIGINT AS views,
         (views * 0.05)::BIGINT AS likes, (views * 0.004)::BIGINT AS comments, (views * 0.002)::BIGINT AS shares,
         CASE WHEN NOT chance(post_no, 'ad unknown', 10) THEN chance(post_no, 'ad', 12) END AS is_ad, is_noise,
         left(sha256(format('{}/{}', getvariable('seed'), below(post_no, 'author', 4000))), 32) AS author_hash,
         pick(['en', 'en', 'en', 'en', 'fr'], post_no, 'lang') AS lang,
         pick(['us', 'us', 'us', 'ca'], post_no, 'country') AS country
  FROM collected
  WHERE collected_second < getvariable('days') * 86400
  ORDER BY posted_at, post_id, collected_at
) TO $path (FORMAT json);
