-- The listings that a country's crawls found from a day to the day before another, in order of time. Every 331st is
-- soiled: fewer than the share at which a refresh refuses a file, in every file however small.
CREATE MACRO crawl(in_country, in_from, in_to) AS TABLE
WITH held AS (
  SELECT listing_no, step, phase, crawl_hour, regular, price, is_clearance,
         greatest(day_from, in_from) AS day_from, least(day_to, in_to) AS day_to
  FROM spell JOIN offer USING (listing_no)
  WHERE country = in_country AND day_from < in_to AND day_to > in_from
),
found AS (
  SELECT listing_no, crawl_hour, regular, price, is_clearance,
         unnest(range(day_from + (phase - day_from % step + step) % step, day_to, step))::INTEGER AS day
  FROM held
),
drawn AS (
  SELECT found.*, bits(listing_no * 4096::BIGINT + day, 'crawl') AS draw FROM found
),
ordered AS (
  SELECT listing_no, regular, price, is_clearance, day, (draw >> 32)::BIGINT AS draw,
         day * 86400 + crawl_hour * 3600 + ((draw >> 8) % 21600)::INTEGER AS second,
         row_number() OVER (ORDER BY second, listing_no) AS row_no
  FROM drawn
  WHERE draw % 50 <> 0
)
SELECT row_no, listing_no, regular, price, is_clearance, day, draw,
       as_day(0)::TIMESTAMP + to_seconds(second) AS observed_at,
       CASE WHEN row_no % 331 = 0 THEN pick(['repeat', 'text', 'zero', 'negative', 'currency', 'early', 'country', 'id',
         'time', 'cent', 'spike', 'list price', 'rating'], row_no // 331 + in_from, 'dirt') END AS dirt
FROM ordered;
