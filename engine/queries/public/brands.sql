WITH named AS (
  SELECT brand, brand_norm, product_count, row_number() OVER (ORDER BY product_count DESC, brand_norm)::INTEGER AS place
  FROM brand WHERE starts_with(brand_norm, $prefix::VARCHAR)
)
SELECT count(*)::INTEGER AS total,
       list({brand: brand, brand_norm: brand_norm, product_count: product_count} ORDER BY place)
         FILTER (place > $offset::INTEGER AND place <= $offset::INTEGER + $limit::INTEGER) AS items
FROM named
