SELECT (SELECT count(*) FROM merged)::INTEGER AS observations, (SELECT count(*) FROM listing_month)::INTEGER AS listing_months,
  (SELECT sum(hash(merged))::VARCHAR FROM merged) AS hash;
