-- A price holds from one event to the next: a repricing wave of the retailer, the start or end of a sale, a step of a
-- clearance. Days count from the sample's first day.
CREATE TABLE spell AS
WITH priced AS (
  SELECT listing_no, platform, wave_days, wave_pct, promo_pct, ending, base_cents, drift_pct, entered,
         entered + life_days AS ended,
         CASE WHEN is_delisted AND chance(listing_no, 'clears', 75) THEN entered + life_days - 28 END AS clears
  FROM listing JOIN cell USING (cell_no) JOIN product USING (product_no)
    JOIN department ON department.name = product.department
  WHERE life_days > 0
),
wave AS (
  SELECT priced.*, wave, listing_no * 1000 + wave AS wave_no,
         CASE wave WHEN -1 THEN entered
           ELSE wave * wave_days + below(platform, 'wave', wave_days) + below(wave_no, 'wave day', 5) END AS day
  FROM (SELECT priced.*, unnest(range(-1, 1 + ended // wave_days)) AS wave FROM priced) AS priced
),
-- The first prices are as old as prices are, or inflation would start late.
repricing AS (
  SELECT listing_no, day, ending,
         CASE WHEN day = 0 THEN 240 * ln(1 - uniform(listing_no, 'price age')) ELSE day END AS set_on,
         base_cents * exp(drift_pct / 100 * set_on / 365 + 0.06 * gauss(wave_no, 'price')) AS cents
  FROM wave
  WHERE wave = -1 OR day > entered AND day < ended AND chance(wave_no, 'reprices', wave_pct)
),
slot AS (
  SELECT priced.*, 60 * slot - below(listing_no, 'slots', 60) AS slot_from, listing_no * 1000 + slot AS slot_no
  FROM (SELECT priced.*, unnest(range(0, 2 + ended // 60)) AS slot FROM priced) AS priced
),
sale AS (
  SELECT listing_no, coalesce(clears, ended) AS ended, slot_from + below(slot_no, 'sale start', 38) AS sale_day,
         greatest(entered, sale_day) AS sale_from, sale_day + 2 + below(slot_no, 'sale days', 20) AS sale_to,
         pick([10, 15, 20, 20, 25, 25, 30, 40], slot_no, 'sale depth') AS depth
  FROM slot
  WHERE chance(slot_no, 'sale', promo_pct) AND sale_to > entered
),
event AS (
  SELECT listing_no, day, posted_price(floor(cents)::BIGINT, ending) AS regular, NULL AS depth FROM repricing
  UNION ALL
  SELECT listing_no, sale_from, NULL, depth FROM sale WHERE sale_from < ended
  UNION ALL
  SELECT listing_no, sale_to, NULL, 0 FROM sale WHERE sale_to < ended
  UNION ALL
  SELECT listing_no, clears + 9 * step, NULL, 15 + 15 * step FROM priced CROSS JOIN range(3) AS steps(step)
  WHERE clears IS NOT NULL
),
state AS (
  SELECT listing_no, day, last_value(max(regular) IGNORE NULLS) OVER history AS regular,
         coalesce(last_value(max(depth) IGNORE NULLS) OVER history, 0) AS depth, lead(day) OVER history AS next_day
  FROM event
  GROUP BY listing_no, day
  WINDOW history AS (PARTITION BY listing_no ORDER BY day)
)
SELECT listing_no, day::INTEGER AS day_from, coalesce(next_day, ended)::INTEGER AS day_to, regular::INTEGER AS regular,
       CASE depth WHEN 0 THEN regular ELSE posted_price(regular * (100 - depth) // 100, ending) END::INTEGER AS price,
       coalesce(day >= clears, false) AS is_clearance
FROM state JOIN priced USING (listing_no)
ORDER BY listing_no, day_from;
