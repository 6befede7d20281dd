SELECT product_uid, entity_uid, product_name, brand FROM known_listing WHERE rowid = $row::BIGINT
