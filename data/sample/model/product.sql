-- Physical products, three to a family: of one brand and noun, in other sizes, packs and variants.
CREATE TABLE product AS
WITH numbered AS (
  SELECT product_no, product_no // 3 AS family_no,
         below(product_no // 3, 'shelf', (SELECT any_value(draw_total) FROM assortment)) AS draw
  FROM range(getvariable('products')) AS numbers(product_no)
),
shelved AS (
  SELECT product_no, family_no, assortment.*
  FROM numbered ASOF JOIN assortment ON numbered.draw >= assortment.draw_from
),
-- A power of the number of brands, its exponent uniform, has rank k with a chance of about 1 / k: Zipf's law.
ranked AS (
  SELECT shelved.*, floor(pow(counted.brand_count + 1, uniform(family_no, 'brand')))::INTEGER AS rank
  FROM shelved JOIN (SELECT DISTINCT category_no, brand_count FROM shelf_brand) AS counted USING (category_no)
),
described AS (
  SELECT ranked.*, brand_no, brand_norm,
         pick(nouns, family_no, 'noun') AS noun,
         pick(series, brand_no * 4 + family_no % 4, 'series') AS series_name,
         pick(variants, product_no, 'variant') AS variant,
         (below(family_no, 'size', 60) + product_no % 3) % len(sizes) AS size_no,
         sizes[size_no + 1] AS size,
         CASE WHEN size LIKE '% lb' THEN 1 ELSE pick(packs, product_no, 'pack') END AS pack,
         upper(left(brand_norm, 2)) || '-' || (1000 + below(product_no, 'model', 9000)) || pick(['', 'A', 'B', 'X'],
           product_no, 'model suffix') AS model,
         row_number() OVER (PARTITION BY brand_no ORDER BY product_no) % 100000 AS product_reference
  FROM ranked JOIN shelf_brand USING (category_no, rank) JOIN brand USING (brand_no)
)
SELECT product_no::INTEGER AS product_no, family_no::INTEGER AS family_no, category_no, department, brand_no,
       resale_pct, noun, series_name, variant, size, pack, CASE WHEN has_model THEN model END AS model,
       nullif(regexp_extract(size, '^([0-9.]+) (fl oz|oz|lb|ct|L)$', 1), '')::DECIMAL(9, 2) AS size_value,
       nullif(regexp_extract(size, '^[0-9.]+ (fl oz|oz|lb|ct|L)$', 1), '') AS size_unit,
       0.3 + 1.5 * pow(uniform(product_no, 'popularity'), 2) AS popularity,
       100 * median * pow(pack, 0.9) * exp(sigma * gauss(family_no, 'price') + 0.2 * gauss(brand_no, 'tier')
         + coalesce(0.4 * (size_no - (len(sizes) - 1) / 2), 0)) AS reference_cents,
       CASE WHEN chance(brand_no, 'overseas', 20)
         THEN pick(['400', '501', '730', '761'], brand_no, 'prefix') || (1000 + brand_no * 21)
         ELSE '0' || pick(['0', '6', '7', '8'], brand_no, 'prefix') || (10000 + brand_no * 211)
       END || format('{:05d}', product_reference) AS gtin_body
FROM described;
