-- The non-empty periods of a scope.
SELECT DISTINCT retailer_id, day AS period FROM scope_observation
