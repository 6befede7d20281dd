-- How a retailer spells what it sells. Dirty brands and barcodes are as common as in catalogues found in the wild; none
-- of them makes a row unfit.
CREATE TABLE spelling AS
WITH sold AS (
  SELECT listing_no, listing.condition, condition_is_in, title_style, gtin_digits, gtin_pct,
         brand, noun, series_name, model, size, variant, pack, gtin_body || check_digit(gtin_body) AS gtin13,
         below(listing_no, 'brand dirt', 100) AS brand_draw, below(listing_no, 'barcode dirt', 1000) AS gtin_draw,
         below(platform || '/' || brand, 'brand form', 24) AS brand_form
  FROM listing JOIN cell USING (cell_no) JOIN product USING (product_no) JOIN brand USING (brand_no)
),
branded AS (
  SELECT sold.*, CASE WHEN brand_draw >= 3 THEN brand END AS title_brand,
         CASE WHEN brand_draw < 4
           THEN pick(['Generic', 'N/A', 'Unbranded', 'Does not apply', 'n/a'], listing_no, 'placeholder')
         WHEN brand_draw < 6 THEN ''
         ELSE CASE brand_form WHEN 0 THEN upper(brand) WHEN 1 THEN lower(brand) WHEN 2 THEN brand || ' Inc.'
           WHEN 3 THEN brand || '®' WHEN 4 THEN brand || ', LLC' WHEN 5 THEN 'Brand: ' || brand
           WHEN 6 THEN 'Visit the ' || brand || ' Store' ELSE brand END END AS brand_text
  FROM sold
),
titled AS (
  SELECT branded.*,
         CASE title_style
           WHEN 'plain' THEN concat_ws(', ', concat_ws(' ', title_brand, series_name, noun, model), size, variant)
             || CASE WHEN pack > 1 THEN format(' (Pack of {})', pack) ELSE '' END
           WHEN 'dashes' THEN concat_ws(' - ', concat_ws(' ', title_brand, noun, series_name), size, variant, model)
             || CASE WHEN pack > 1 THEN format(' - {} Pack', pack) ELSE '' END
           ELSE concat_ws(' ', title_brand, series_name, model, noun, size, variant)
             || CASE WHEN pack > 1 THEN format(', {}-Pack', pack) ELSE '' END END AS title,
         CASE WHEN condition = 'new' OR condition_is_in = 'field' THEN ''
           WHEN condition = 'refurbished'
             THEN pick([' (Refurbished)', ' (Renewed)', ' - Certified Refurbished'], listing_no, 'suffix')
           WHEN condition = 'open_box' THEN ' - Open Box'
           ELSE pick([' (Used)', ' - Pre-Owned'], listing_no, 'suffix') END AS suffix,
         CASE gtin_digits WHEN 14 THEN '0' || gtin13 WHEN 13 THEN gtin13
           ELSE regexp_replace(gtin13, '^0', '') END AS gtin
  FROM branded
)
SELECT listing_no, title || suffix AS product_name, brand_text,
       CASE WHEN NOT chance(listing_no, 'barcode', gtin_pct) THEN NULL
         -- Destroyed by a spreadsheet, lost zeros, a wrong check digit, a number of in-store use, an internal id.
         WHEN gtin_draw < 3 THEN [upper(format('{:.5e}', gtin13::DOUBLE))]
         WHEN gtin_draw < 12 THEN [ltrim(gtin13, '0')]
         WHEN gtin_draw < 16 THEN [left(gtin, -1) || (right(gtin, 1)::INTEGER + 5) % 10]
         WHEN gtin_draw < 20 THEN ['2' || substr(gtin13, 3, 10) || check_digit('2' || substr(gtin13, 3, 10))]
         WHEN gtin_draw < 22 THEN [(2900000000000 + listing_no)::VARCHAR]
         -- The case the product is shipped in.
         WHEN gtin_draw < 40 THEN [gtin, '1' || left(gtin13, 12) || check_digit('1' || left(gtin13, 12))]
         ELSE [gtin] END AS gtin
FROM titled;
