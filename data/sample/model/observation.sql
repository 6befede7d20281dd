-- The rows of the feed with their types; dirt that no type holds is left to the text form.
CREATE MACRO observation(in_country, in_from, in_to) AS TABLE
WITH stocked AS (
  SELECT crawl.*, below(listing_no * 512 + (day + listing_no % 9) // 9, 'stock', 100) AS stock
  FROM crawl(in_country, in_from, in_to) AS crawl
)
SELECT row_no, dirt, platform, observed_at, condition, seller_id, seller_type, shipping_price, unit_price_measure,
       CASE dirt WHEN 'country' THEN 'uk' ELSE country END AS country,
       CASE WHEN dirt IS DISTINCT FROM 'id' THEN listing_id END AS listing_id,
       observed_at + to_seconds(CASE dirt WHEN 'early' THEN -7200 ELSE draw % 90 END) AS scraped_at,
       CASE dirt WHEN 'zero' THEN 0 WHEN 'negative' THEN -price WHEN 'cent' THEN 1 WHEN 'spike' THEN 100
         ELSE price END AS price,
       CASE dirt WHEN 'currency' THEN 'EUR' ELSE currency END AS currency,
       CASE WHEN inflated_pct IS NOT NULL THEN posted_price(regular * inflated_pct // 100, ending)::INTEGER
         WHEN list_price_mode = 'always' OR stocked.price < regular AND list_price_mode <> 'none' THEN regular
       END AS list_price,
       CASE WHEN list_price IS NOT NULL THEN list_price_type END AS list_price_type,
       CASE WHEN marks_promos THEN stocked.price < regular END AS promo_flag,
       CASE WHEN promo_flag AND is_clearance THEN 'Clearance'
         WHEN promo_flag THEN pick(['Sale', 'Save now', format('{}% off', 100 - stocked.price * 100 // regular)],
           listing_no, 'promo text') END AS promo_text,
       CASE WHEN stock < 4 THEN 'out_of_stock' WHEN stock < 5 THEN 'backorder' WHEN stock < 9 THEN 'limited'
         ELSE 'in_stock' END AS availability,
       CASE dirt WHEN 'rating' THEN 0 ELSE rating_tenths END AS rating_tenths,
       CASE dirt WHEN 'rating' THEN 0 ELSE review_count + review_count * day // 800 END::INTEGER AS review_count,
       round(stocked.price / unit_count)::INTEGER AS unit_price,
       unnest(CASE dirt WHEN 'repeat' THEN [1, 2] ELSE [1] END) AS copy
FROM stocked JOIN offer USING (listing_no);
