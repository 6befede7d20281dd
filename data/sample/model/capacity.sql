-- The maximum number of observations: every listing found daily.
SELECT floor(sum(life_days) * 0.98)::BIGINT AS observations FROM listing
