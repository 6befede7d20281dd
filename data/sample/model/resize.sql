-- The listings whose pack had another size until a day: two in a hundred products of what is consumed, of which most shrink, at
-- each retailer within a month.
CREATE TABLE resize AS
WITH repacked AS (
  SELECT product_no, size, size_unit, pick([1.12, 1.16, 1.2, 1.25, 0.86], product_no, 'resized by') AS factor,
         CASE size_unit WHEN 'ct' THEN round(size_value * factor) ELSE round(size_value * factor, 1) END::DECIMAL(9, 2) AS before
  FROM product
  WHERE size_value >= 5 AND department IN ('Grocery', 'Health & Household', 'Beauty & Personal Care', 'Pet Supplies')
    AND chance(product_no, 'resized', 2)
)
SELECT listing_no, size, before, rtrim(rtrim(before::VARCHAR, '0'), '.') || ' ' || size_unit AS size_before,
       60 + below(product_no, 'resized on', greatest(getvariable('days') - 120, 1)) + below(cell_no, 'resized after', 30) AS changed_on
FROM repacked JOIN listing USING (product_no)
WHERE changed_on BETWEEN entered + 20 AND entered + life_days - 30;
