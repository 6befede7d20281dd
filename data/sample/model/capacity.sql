-- The most observations there can be: every listing met daily.
SELECT floor(sum(life_days) * 0.98)::BIGINT AS observations FROM listing
