-- Roll-ups of posts (data/README.md).
CREATE VIEW social_day AS SELECT * FROM read_parquet(getvariable('snapshot') || '/social_days.parquet');
CREATE VIEW social_brand_day AS SELECT * FROM read_parquet(getvariable('snapshot') || '/social_brand_days.parquet');
CREATE VIEW social_theme_day AS SELECT * FROM read_parquet(getvariable('snapshot') || '/social_theme_days.parquet');
CREATE VIEW social_theme_type AS SELECT * FROM read_parquet(getvariable('snapshot') || '/social_theme_types.parquet');
CREATE VIEW social_brand AS SELECT * FROM read_parquet(getvariable('snapshot') || '/social_brands.parquet');

-- A change of 20 % or more is rising or falling; without prior mentions the status is new.
CREATE MACRO social_status(in_now, in_prior) AS
  CASE WHEN in_prior = 0 THEN 'new' WHEN 5 * in_now >= 6 * in_prior THEN 'rising'
       WHEN 5 * in_now <= 4 * in_prior THEN 'falling' ELSE 'flat' END;

-- Sort order: new, then rising and falling, then flat.
CREATE MACRO social_tier(in_status) AS CASE in_status WHEN 'new' THEN 0 WHEN 'flat' THEN 2 ELSE 1 END;

-- The ratio of two Poisson rates after a prior Gamma(10, 1) on each in units of its window, as if both had ten more
-- mentions (Gelman et al., Bayesian Data Analysis, 3rd ed., 2.6; DuMouchel 1999 ranks sparse counts so). A
-- base below ten mentions is thin: there the prior outweighs the data.
CREATE MACRO shrunken_ratio(in_now, in_prior) AS (in_now + 10) / (in_prior + 10);

-- The size of a change in either direction: halving counts as much as doubling.
CREATE MACRO social_movement(in_now, in_prior) AS
  greatest(shrunken_ratio(in_now, in_prior), shrunken_ratio(in_prior, in_now));
