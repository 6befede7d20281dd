WITH priced AS MATERIALIZED (
  SELECT *
  FROM listing_period($country::VARCHAR, $first::INTEGER, $last::INTEGER, $retailer_id::INTEGER, NULL, $unit::VARCHAR,
    $from::DATE, $to::DATE, $month_from::VARCHAR, $month_to::VARCHAR, $whole_from::VARCHAR, $whole_to::VARCHAR,
    in_gpc_first := $gpc_first::INTEGER, in_gpc_last := $gpc_last::INTEGER)
), series AS MATERIALIZED (
  SELECT * FROM series_period('priced')
), pair AS MATERIALIZED (
  SELECT any_value(retailer_id) AS retailer_id, listing_id, count(*) = any_value(period_count) AS is_stable,
         quantile_disc(price, 0.5) AS median,
         max(price) FILTER (period = first_period AND first_period < last_period) AS base,
         max(price) FILTER (period = last_period AND first_period < last_period) AS price
  FROM priced, series_span('series') GROUP BY listing_id
), relative AS MATERIALIZED (
  SELECT retailer_id, base, price, CASE WHEN plausible(base, price) THEN log_relative(base, price) END AS log,
         5 * price::BIGINT <= 4 * median::BIGINT AS clearance
  FROM pair
), matched AS (
  SELECT count(log)::INTEGER AS matched, count(log) FILTER (unmoved(base, price))::INTEGER AS stable,
         count(log) FILTER (price > base AND NOT unmoved(base, price))::INTEGER AS rising,
         count(base + price)::INTEGER AS matched_count,
         {base_count: count(base)::INTEGER, base_sum: sum(base)::DOUBLE,
          price_count: count(price)::INTEGER, price_sum: sum(price)::DOUBLE,
          matched_count: matched_count, matched_base_sum: sum(base) FILTER (price IS NOT NULL)::DOUBLE,
          matched_price_sum: sum(price) FILTER (base IS NOT NULL)::DOUBLE} AS composition,
         list_sort(list(log) FILTER (log IS NOT NULL)) AS logs,
         list_sort(list(log) FILTER (log IS NOT NULL AND NOT clearance)) AS regular_logs
  FROM relative
), tail AS (
  SELECT logs[tail_cut(matched) + 1] AS low, logs[matched - tail_cut(matched)] AS high FROM matched
), cluster AS (
  SELECT retailer_id, count(*)::INTEGER AS n, sum(winsorised(log, low, high)) AS log_sum,
         sum(winsorised(log, low, high) * winsorised(log, low, high)) AS square_sum
  FROM relative, tail WHERE log IS NOT NULL GROUP BY retailer_id
), clustered AS (
  SELECT list({retailer_id: retailer_id, n: n, log_sum: log_sum::DOUBLE}) AS clusters,
         sum(log_sum) AS winsorised_sum, sum(square_sum) AS square_sum
  FROM cluster
)
SELECT point.* EXCLUDE (period), composition, list_sort(clusters) AS clusters, observed_min, observed_max,
       {matched: matched, rising: rising, stable: stable, implausible: matched_count - matched,
        median_log: list_aggregate(logs, 'quantile_cont', 0.5), log_sum: list_sum(logs)::DOUBLE,
        trimmed_sum: trimmed_sum(logs)::DOUBLE, winsorised_sum: winsorised_sum::DOUBLE,
        -- n times the sum of squared deviations, in integers: prices that move alike must have a spread of exactly 0.
        winsorised_spread: (matched * square_sum - winsorised_sum * winsorised_sum)::DOUBLE,
        regular_count: len(regular_logs)::INTEGER, regular_sum: trimmed_sum(regular_logs)::DOUBLE} AS matched_sums
FROM series_point('priced', 'series', 'pair') AS point, matched, clustered,
     observed_between($country::VARCHAR, $first::INTEGER, $last::INTEGER, $retailer_id::INTEGER, NULL,
       $from::DATE, $to::DATE, $month_from::VARCHAR, $month_to::VARCHAR,
       in_gpc_first := $gpc_first::INTEGER, in_gpc_last := $gpc_last::INTEGER)
ORDER BY period
