COPY (
  SELECT platform, country, listing_id, observed_at, scraped_at, price, currency, list_price, list_price_type,
         promo_flag, promo_text, availability, condition, seller_id, seller_type,
         (rating_tenths * 0.1::DECIMAL(2, 1))::DECIMAL(3, 1) AS star_rating, review_count,
         shipping_price, unit_price, unit_price_measure
  FROM observation($country::VARCHAR, $day_from::INTEGER, $day_to::INTEGER)
  ORDER BY row_no
) TO $path (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);
