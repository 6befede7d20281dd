SELECT ((SELECT count(*) FROM previous_entity_change) + (SELECT count(*) FROM entity_change))::INTEGER AS rows;
