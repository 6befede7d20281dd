-- The table macros of data/sql.md: statements over relations (relations.ts), whose placeholders become parameters.

-- Current listings: the latest observation in the days [since, before).
CREATE MACRO current_listing(
  in_country, in_first, in_last, in_since, in_before, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT * FROM current_listing;

-- The listing-period prices of a scope and window: the discrete median of a listing's days.
CREATE MACRO listing_period(
  in_country, in_first, in_last, in_retailer_id, in_brand_id, in_unit, in_from, in_to,
  in_month_from, in_month_to, in_whole_from, in_whole_to, in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT * FROM listing_period WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER;

-- When a scope was first and last observed in a window, in seconds since 1970.
CREATE MACRO observed_between(
  in_country, in_first, in_last, in_retailer_id, in_brand_id, in_from, in_to, in_month_from, in_month_to,
  in_gpc_first := NULL, in_gpc_last := NULL
) AS TABLE
SELECT * FROM observed_between;

-- Coverage cells at a moment: shelves by retailer, country and department, with their status.
CREATE MACRO coverage_cell(in_since, in_before) AS TABLE
SELECT * FROM coverage_cell;
