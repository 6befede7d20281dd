SELECT product_uid, entity_uid, product_name, brand, gpc_id, gpc_precision, gpc_source
FROM known_listing WHERE rowid = $known_row::BIGINT
