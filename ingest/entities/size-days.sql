-- in: arrival, described, newest_time, listing_key, attribute, previous_attribute, previous_size, withdrawal, sized_text, size_text, current_price out: size_run
-- The sizes of listings in the order of their days: those of listings with several texts are computed from what this refresh
-- has and the first and last day of what the lake has; the others stay.
CREATE TABLE size_run AS
WITH watched AS (
  SELECT listing_id, country, platform, product_id FROM listing_key
  WHERE listing_id IN (SELECT listing_id FROM sized_text)
),
arrived AS (
  SELECT listing_id, arrival.product_name, size_of(size_value, size_unit) AS size_text, coalesce(multipack, pack_count) AS pack,
    observed_at AS seen_at
  FROM arrival JOIN watched USING (country, platform, product_id)
  WHERE arrival.product_name IS NOT NULL OR size_value IS NOT NULL
  UNION ALL
  SELECT listing_id, described.product_name, size_of(size_value, size_unit), coalesce(multipack, pack_count),
    coalesce(last_seen_at, (SELECT max(observed_at) FROM newest_time), TIMESTAMP '1990-01-01')
  FROM described JOIN watched USING (country, platform, product_id)
  WHERE described.product_name IS NOT NULL OR size_value IS NOT NULL
),
-- What the lake has, without the days that are withdrawn.
stored AS (
  SELECT listing_id, title, size_text, pack, unnest([first_day, last_day])::TIMESTAMP AS seen_at FROM previous_size
  UNION ALL
  SELECT listing_id, product_name.value, size_of(size_value.value, size_unit.value),
    coalesce(multipack.value, pack_count.value), greatest(product_name.at, size_value.at)
  FROM previous_attribute ANTI JOIN previous_size USING (listing_id)
),
kept AS (
  SELECT stored.* FROM stored JOIN watched USING (listing_id)
  WHERE NOT EXISTS (
    FROM withdrawal WHERE withdrawal.platform = watched.platform AND withdrawal.country = watched.country
      AND seen_at::DATE BETWEEN withdrawal.first_day AND withdrawal.last_day)
),
seen AS (
  SELECT listing_id, coalesce(arrived.product_name, attribute.product_name.value) AS title,
    coalesce(size_text, size_of(attribute.size_value.value, attribute.size_unit.value)) AS size_text,
    coalesce(pack, attribute.multipack.value, attribute.pack_count.value) AS pack, seen_at, true AS is_new
  FROM arrived JOIN attribute USING (listing_id)
  UNION ALL
  SELECT *, false FROM kept
),
-- A day has the size that was seen last on it.
dated AS (
  SELECT seen.listing_id, seen_at::DATE AS day, sized_text.title, sized_text.size_text, sized_text.pack, size, dimension
  FROM seen JOIN sized_text ON sized_text.listing_id = seen.listing_id AND sized_text.title = seen.title
    AND sized_text.size_text IS NOT DISTINCT FROM seen.size_text AND sized_text.pack IS NOT DISTINCT FROM seen.pack
  QUALIFY row_number() OVER (PARTITION BY seen.listing_id, day
    ORDER BY is_new DESC, seen_at DESC, size, dimension, sized_text.title, sized_text.size_text, sized_text.pack) = 1
),
begun AS (
  SELECT *, (size, dimension) IS DISTINCT FROM (lag(size) OVER own, lag(dimension) OVER own) AS is_begin
  FROM dated WINDOW own AS (PARTITION BY listing_id ORDER BY day)
),
numbered AS (
  SELECT *, count(*) FILTER (is_begin) OVER (PARTITION BY listing_id ORDER BY day) AS run FROM begun
),
run AS (
  SELECT listing_id, min(day) AS first_day, max(day) AS last_day, any_value(size) AS size, any_value(dimension) AS dimension,
    arg_min(title, day) AS title, arg_min({'text': size_text}, day).text AS size_text, arg_min({'text': pack}, day).text AS pack
  FROM numbered GROUP BY listing_id, run
)
-- Before its second size a listing had its first one.
SELECT listing_id, CASE WHEN row_number() OVER (PARTITION BY listing_id ORDER BY run.first_day) = 1
    THEN least(run.first_day, current_price.first_day) ELSE run.first_day END AS first_day,
  run.last_day, size, dimension, title, size_text, pack
FROM run LEFT JOIN current_price USING (listing_id)
UNION ALL
SELECT listing_id, first_day, last_day, size, dimension, title, size_text, pack
FROM previous_size SEMI JOIN listing_key USING (listing_id)
WHERE listing_id NOT IN (SELECT listing_id FROM size_text);
