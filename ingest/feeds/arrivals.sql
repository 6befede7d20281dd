-- name: arrivals
-- in: kept_observation, $lake out: arrival, described
-- The valid rows of this refresh, over all files. A file has only the attributes of its columns.
CREATE TEMP VIEW arrival AS
SELECT file, country, platform, listing_id AS product_id, observed_at, scraped_at, price, list_price, promo_flag,
  in_stock, seller_id, star_rating, review_count,
  product_name, brand, gtin, mpn, model, item_group_id, is_bundle, multipack, browse_ids, category_path,
  google_product_category, gpc_code, condition, url, size_value, size_unit, pack_count, seller_type,
  recommended_price
FROM kept_observation;

CREATE TEMP VIEW described AS
SELECT file, country, platform, listing_id AS product_id, last_seen_at,
  product_name, brand, gtin, mpn, model, item_group_id, is_bundle, multipack, browse_ids, category_path,
  google_product_category, gpc_code, condition, url, size_value, size_unit, pack_count, seller_type,
  recommended_price
FROM read_parquet(getvariable('lake')['staged_glob'] || '/product_catalogue-*.parquet', union_by_name = true)
WHERE fault IS NULL;

-- name: carry
-- in: change_point out:
-- A change point is valid until the listing's next one: creates a row for every day in between, and after the last one
-- up to the last day of the feed's files, for at most 400 days.
CREATE TEMP VIEW carried AS
WITH point AS (
  SELECT *, observed_at::DATE AS day, max(observed_at::DATE) OVER () AS last_day FROM change_point
),
span AS (
  SELECT *, coalesce(lead(day) OVER (PARTITION BY country, platform, listing_id, seller_id
    ORDER BY observed_at, scraped_at), last_day + 1) AS next_day
  FROM point
),
held AS (
  SELECT *, unnest(generate_series(day + 1, least(next_day - 1, day + 400), INTERVAL 1 DAY)) AS held_at FROM span
)
SELECT 0 AS file, NULL::BIGINT AS row, platform, country, listing_id, held_at AS observed_at,
  NULL::TIMESTAMP AS scraped_at, price, list_price, promo_flag, in_stock, seller_id,
  year(held_at) * 100 + month(held_at) AS month, true AS is_sound, NULL::fault AS fault, NULL::VARCHAR AS remark,
  NULL::INTEGER AS review_count
FROM held;
