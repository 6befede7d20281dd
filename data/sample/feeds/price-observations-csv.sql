COPY (
  SELECT platform, country, listing_id,
         CASE dirt WHEN 'time' THEN pick(['2025-13-45T99:00:00Z', '13.09', '17.14.11', 'unknown'], row_no, 'time text')
           ELSE as_time(observed_at) END AS observed_at,
         as_time(scraped_at) AS scraped_at,
         CASE dirt WHEN 'text' THEN pick(['NA', '2 for $7', '97¢', '236.18 gbp', 'error'], row_no, 'price text')
           ELSE as_money(price)::VARCHAR END AS price,
         currency,
         CASE dirt WHEN 'list price' THEN 'was' ELSE as_money(list_price)::VARCHAR END AS list_price,
         list_price_type, promo_flag, promo_text, availability, condition, seller_id, seller_type,
         (rating_tenths * 0.1::DECIMAL(2, 1))::DECIMAL(3, 1) AS star_rating, review_count,
         as_money(shipping_price) AS shipping_price, as_money(unit_price) AS unit_price, unit_price_measure
  FROM observation($country::VARCHAR, $day_from::INTEGER, $day_to::INTEGER)
  ORDER BY row_no
) TO $path (FORMAT csv, HEADER);
