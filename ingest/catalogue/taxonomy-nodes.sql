SELECT path, name, parent_path, aliases, gpc_codes, is_accessory, is_mixed FROM taxonomy WHERE active ORDER BY path;
