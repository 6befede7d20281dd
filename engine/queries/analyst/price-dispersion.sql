WITH representative AS MATERIALIZED (
  SELECT price, exclusion, representative_floor, observed_at
  FROM representative_listing($country::VARCHAR, $first::INTEGER, $last::INTEGER, $retailer_id::INTEGER,
    $since::DATE, $before::DATE, $shelf_depth::INTEGER,
    in_gpc_first := $gpc_first::INTEGER, in_gpc_last := $gpc_last::INTEGER)
), scope AS (
  SELECT count(*)::INTEGER AS scope_count, max(representative_floor) AS representative_floor,
         excluded_counts(exclusion) AS excluded,
         epoch(min(observed_at)) AS observed_min, epoch(max(observed_at)) AS observed_max
  FROM representative
), summary AS (
  SELECT count(*)::INTEGER AS product_count, sum(price)::DOUBLE AS price_sum, min(price) AS min_price,
         max(price) AS max_price, sample_deviation(count(*), sum(price), sum(price::HUGEINT * price)) AS std_dev,
         quantile_cont(price, [0.10, 0.25, 0.50, 0.75, 0.90]) AS percentiles
  FROM representative WHERE exclusion IS NULL
), histogram AS (
  SELECT bucket(price, min_price, max_price) AS bucket, count(*)::INTEGER AS count
  FROM representative, summary WHERE exclusion IS NULL GROUP BY bucket(price, min_price, max_price)
)
SELECT scope.*, summary.*,
       (SELECT list({bucket: bucket, count: count} ORDER BY bucket) FROM histogram) AS buckets
FROM scope, summary
