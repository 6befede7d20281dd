SELECT (SELECT count(*) FROM merged)::INTEGER AS observations, (SELECT count(*) FROM listing_month)::INTEGER AS listing_months,
  (SELECT sum(hash(category_id, listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock, observed_second))::VARCHAR
   FROM merged) AS hash;
