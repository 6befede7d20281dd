SELECT file, kind, sum(rows)::INTEGER AS rows FROM duplicate GROUP BY ALL;
