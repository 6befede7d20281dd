COPY (
  SELECT path, name, parent_path, aliases, gpc_codes, coalesce(mark = 'accessory', false) AS is_accessory,
         coalesce(mark = 'mixed', false) AS is_mixed, price_floor AS price_floor_us,
         (price_floor * 1.33)::DECIMAL(9, 2) AS price_floor_ca, true AS active
  FROM category
  ORDER BY path
) TO $path (FORMAT csv, HEADER);
