-- in: category out:
-- The shelves that are given a product type: every category, parents first.
SELECT category_id, path, name, parent_path, is_accessory, gpc_codes FROM category ORDER BY category_id;
