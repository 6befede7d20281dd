CREATE TABLE brand AS
WITH compound AS (
  SELECT head || tail AS brand
  FROM (SELECT unnest(split(heads)) AS head FROM brand_word), (SELECT unnest(split(tails)) AS tail FROM brand_word)
  ORDER BY bits(brand, 'brand'), brand
  LIMIT 384
),
named AS (
  SELECT brand, brand_norm FROM named_brand
  UNION ALL
  SELECT brand, lower(brand) FROM compound
)
SELECT (row_number() OVER (ORDER BY brand))::INTEGER AS brand_no, brand, brand_norm,
       pick(['flat', 'flat', 'flat', 'flat', 'rising', 'rising', 'falling', 'falling', 'new'], brand, 'trend') AS trend
FROM named;

-- Every brand is at home in one department and visits others.
CREATE TABLE department_brand AS
WITH home AS (
  SELECT brand_no, brand, pick((SELECT list(name ORDER BY name) FROM department), brand, 'home') AS department
  FROM brand
)
SELECT brand_no, department.name AS department
FROM home CROSS JOIN department
WHERE home.department = department.name OR chance(home.brand || department.name, 'visits', 12);

-- Brands of a shelf, the strongest first: a department's leaders lead most of its shelves, not all.
CREATE TABLE shelf_brand AS
SELECT category_no, brand_no, (row_number() OVER shelf)::INTEGER AS rank,
       (count(*) OVER (PARTITION BY category_no))::INTEGER AS brand_count
FROM assortment JOIN department_brand USING (department)
WINDOW shelf AS (
  PARTITION BY category_no
  ORDER BY uniform(brand_no, 'fame') + 0.3 * gauss(brand_no * 1000 + category_no, 'local fame'), brand_no
);
