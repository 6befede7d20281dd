SELECT gtin.value AS text, count(*)::INTEGER AS listings FROM attribute WHERE gtin IS NOT NULL GROUP BY ALL;
