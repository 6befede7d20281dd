-- The non-empty periods of a scope.
SELECT DISTINCT retailer_id, period FROM scope_month
