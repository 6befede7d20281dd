-- What each retailer carries, in the order of products.
CREATE TABLE listing AS
WITH carried AS (
  SELECT product_no, cell_no
  FROM product JOIN cell_department USING (department) JOIN cell USING (cell_no)
  WHERE uniform(product_no * 64 + cell_no, 'carried') < share * popularity
  QUALIFY role IS DISTINCT FROM 'thin'
    OR row_number() OVER (PARTITION BY cell_no, department ORDER BY product_no) <= 12
),
numbered AS (
  SELECT row_number() OVER (ORDER BY product_no, cell_no) AS listing_no, product_no, cell_no FROM carried
),
dated AS (
  SELECT listing_no, product_no, cell_no, getvariable('days') AS days,
         CASE WHEN chance(listing_no, 'enters', 20)
           THEN 1 + below(listing_no, 'entry', greatest(days - 14, 1)) ELSE 0 END AS entered,
         CASE WHEN chance(listing_no, 'leaves', 12)
           THEN 30 + below(listing_no, 'exit', greatest(days - 30, 1)) END AS leaves,
         coalesce(leaves < days AND leaves >= entered + 30, false) AS is_delisted
  FROM numbered WHERE listing_no <= getvariable('listings')
),
lived AS (
  SELECT dated.*, CASE WHEN is_delisted THEN leaves ELSE days END AS ended,
         -- Nothing is seen of a stale retailer in the last five months.
         CASE role WHEN 'stale' THEN greatest(days - 150, least(days, 10)) ELSE days END AS seen_to,
         CASE WHEN chance(listing_no, 'resale', resale_pct * CASE role WHEN 'marketplace' THEN 2 ELSE 0.7 END)
           THEN pick(['refurbished', 'refurbished', 'used', 'open_box'], listing_no, 'condition')
           ELSE 'new' END AS condition
  FROM dated JOIN product USING (product_no) JOIN cell USING (cell_no)
)
SELECT listing_no::INTEGER AS listing_no, product_no, cell_no, condition, entered::INTEGER AS entered,
       is_delisted AND ended <= seen_to AS is_delisted,
       greatest(least(ended, seen_to) - entered, 0)::INTEGER AS life_days,
       CASE id_style
         WHEN 'letters' THEN 'B0' || upper(to_base(listing_no * 1580030173 % 2821109907456, 36, 8))
         WHEN 'dashed' THEN 'SKU-' || upper(to_base(listing_no * 48271 % 60466176, 36, 5))
         WHEN 'zeros' THEN format('{:08d}', listing_no * 61803 % 10000000)
         ELSE (10000000 + listing_no * 48271 % 90000000)::VARCHAR END AS listing_id,
       reference_cents * price_level * exp(0.05 * gauss(listing_no, 'level')) * CASE condition
         WHEN 'new' THEN 1 WHEN 'open_box' THEN 0.88 WHEN 'refurbished' THEN 0.75 ELSE 0.62 END AS base_cents,
       pick(['field', 'title', 'both'], listing_no, 'condition told') AS condition_is_in,
       CASE WHEN role = 'marketplace' AND chance(listing_no, 'third party', 60)
         THEN 'S' || upper(to_base(60466176 + 7919 * below(listing_no, 'seller', 900), 36, 6)) END AS seller_id,
       CASE WHEN chance(listing_no, 'rated', 93) THEN least(50, greatest(21,
         round(43 + 3 * gauss(product_no, 'quality') + 2 * gauss(listing_no, 'rating'))))::INTEGER END AS rating_tenths,
       floor(exp(4 + 1.6 * gauss(listing_no, 'reviews')))::INTEGER AS review_count
FROM lived JOIN product USING (product_no) JOIN cell USING (cell_no);
