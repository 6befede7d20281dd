SELECT file, code, count(*)::INTEGER AS count FROM quarantine GROUP BY ALL ORDER BY ALL;
