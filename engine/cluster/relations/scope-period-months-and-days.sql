-- The non-empty periods of a scope.
SELECT * FROM scope_period_months
UNION ALL
SELECT * FROM scope_period_days
