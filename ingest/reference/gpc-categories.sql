SELECT category_id, path, name, parent_path, is_accessory, gpc_codes FROM category ORDER BY category_id;
