WITH priced AS MATERIALIZED (
  SELECT *
  FROM listing_period($country::VARCHAR, $first::INTEGER, $last::INTEGER, $retailer_id::INTEGER, NULL, $unit::VARCHAR,
    $from::DATE, $to::DATE, $month_from::VARCHAR, $month_to::VARCHAR, $whole_from::VARCHAR, $whole_to::VARCHAR,
    in_gpc_first := $gpc_first::INTEGER, in_gpc_last := $gpc_last::INTEGER)
), point AS MATERIALIZED (
  SELECT * FROM series_point('priced')
), span AS (
  SELECT min(period) AS first, nullif(max(period), first) AS last FROM point
), pair AS MATERIALIZED (
  SELECT any_value(retailer_id) AS retailer_id, listing_id, quantile_disc(priced.price, 0.5) AS median,
         max(priced.price) FILTER (period = first AND last IS NOT NULL) AS base,
         max(priced.price) FILTER (period = last) AS price
  FROM priced, span GROUP BY listing_id
), relative AS MATERIALIZED (
  SELECT retailer_id, base, price, log_relative(base, price) AS log, 5 * price::BIGINT <= 4 * median::BIGINT AS clearance
  FROM pair
  WHERE plausible(base, price)
), distinct_log AS (
  SELECT log, count(*)::HUGEINT AS pairs, count(*) FILTER (NOT clearance)::HUGEINT AS regular FROM relative GROUP BY log
), ranked AS MATERIALIZED (
  SELECT log, pairs, sum(pairs) OVER ranks AS rank, sum(pairs) OVER () AS n,
         regular, sum(regular) OVER ranks AS regular_rank, sum(regular) OVER () AS regular_n
  FROM distinct_log WINDOW ranks AS (ORDER BY log)
), tail AS MATERIALIZED (
  SELECT min(log) FILTER (rank > tail_cut(n)) AS low, min(log) FILTER (rank >= n - tail_cut(n)) AS high FROM ranked
), trimmed AS (
  SELECT sum(pairs * log)::DOUBLE AS log_sum,
         sum(log * kept_count(rank, pairs, tail_cut(n), n - tail_cut(n)))::DOUBLE AS trimmed_sum,
         sum(pairs * winsorised(log, low, high))::DOUBLE AS winsorised_sum,
         -- n times the sum of squared deviations, in integers: prices that move alike must have a spread of exactly 0.
         (sum(pairs) * sum(pairs * winsorised(log, low, high) * winsorised(log, low, high))
           - sum(pairs * winsorised(log, low, high)) * sum(pairs * winsorised(log, low, high))
         )::DOUBLE AS winsorised_spread,
         any_value(regular_n)::INTEGER AS regular_count,
         sum(log * kept_count(regular_rank, regular, tail_cut(regular_n), regular_n - tail_cut(regular_n)))::DOUBLE AS regular_sum
  FROM ranked, tail
), counted AS (
  SELECT count(*)::INTEGER AS matched, count(*) FILTER (unmoved(base, price))::INTEGER AS stable,
         count(*) FILTER (price > base AND NOT unmoved(base, price))::INTEGER AS rising,
         quantile_cont(log, 0.5) AS median_log
  FROM relative
), cluster AS (
  SELECT list({n: n, log_sum: log_sum} ORDER BY retailer_id) AS clusters
  FROM (
    SELECT retailer_id, count(*)::INTEGER AS n, sum(winsorised(log, low, high))::DOUBLE AS log_sum
    FROM relative, tail GROUP BY retailer_id
  )
), composition AS (
  SELECT count(base)::INTEGER AS base_count, sum(base)::DOUBLE AS base_sum,
         count(price)::INTEGER AS price_count, sum(price)::DOUBLE AS price_sum,
         count(base + price)::INTEGER AS matched_count, sum(base) FILTER (price IS NOT NULL)::DOUBLE AS matched_base_sum,
         sum(price) FILTER (base IS NOT NULL)::DOUBLE AS matched_price_sum
  FROM pair
)
SELECT point.* EXCLUDE (period),
       {matched: matched, rising: rising, stable: stable, implausible: matched_count - matched,
        median_log: median_log, log_sum: trimmed.log_sum, trimmed_sum: trimmed_sum, winsorised_sum: winsorised_sum,
        winsorised_spread: winsorised_spread, regular_count: regular_count, regular_sum: regular_sum} AS matched_sums,
       composition, clusters, observed_min, observed_max
FROM point, counted, trimmed, cluster, composition,
     observed_between($country::VARCHAR, $first::INTEGER, $last::INTEGER, $retailer_id::INTEGER,
       $from::DATE, $to::DATE, in_gpc_first := $gpc_first::INTEGER, in_gpc_last := $gpc_last::INTEGER)
ORDER BY period
