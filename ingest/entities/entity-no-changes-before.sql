CREATE TABLE previous_entity_change (snapshot_id VARCHAR, listing_id INTEGER, product_uid VARCHAR,
  from_entity_uid VARCHAR, to_entity_uid VARCHAR, kind VARCHAR);
