SELECT count(DISTINCT entity_uid)::INTEGER AS unique_products FROM entity;
