/**
 * A catalogue of `listings` rows, about three shops a product: of five listings three have the barcode, the others only
 * a title, worded differently by each shop. As in real catalogues, cases, sizes and packs share one model number.
 */
export const catalogueOf = (listings: number): string => `
  SELECT 'shop' || shop AS platform, shop || '-' || product AS listing_id,
    concat_ws(' ', brand, CASE WHEN shop % 2 = 0 THEN noun ELSE code END, CASE WHEN shop % 2 = 0 THEN code ELSE noun END,
      CASE shop % 4 WHEN 0 THEN 'with warranty' WHEN 1 THEN '- black' WHEN 2 THEN '(new model)' END,
      CASE WHEN product % 3 = 0 THEN (product % 7 + 1) * 100 || ' g' END,
      CASE WHEN product % 5 = 0 THEN (product % 4 + 2) || ' pack' END) AS product_name,
    brand, CASE WHEN hash(product, shop) % 5 < 3 THEN body || check_digit(body) END AS gtin,
    5 + hash(product) % 50000 / 100 AS price
  FROM (
    SELECT number % 8 AS shop, number // 3 AS product, 'Maker' || (number // 3) % 5000 AS brand,
      ['Kettle', 'Drill', 'Printer', 'Camera', 'Coffee Beans', 'Case for Camera', 'Phone Charger'][1 + (number // 3) % 7] AS noun,
      'KX' || (number // 3) || chr((65 + (number // 3) % 26)::INTEGER) AS code, '400' || lpad((number // 3)::VARCHAR, 9, '0') AS body
    FROM range(${listings}) AS numbers (number)
  )`
