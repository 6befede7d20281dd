SELECT count(*)::INTEGER AS kept FROM contest WHERE duplicate_of IS NULL;
