CREATE TABLE shelf_type (category_id INTEGER, gpc_id INTEGER, gpc_precision VARCHAR, gpc_source VARCHAR);
