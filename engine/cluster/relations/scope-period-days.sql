-- The non-empty periods of a scope.
SELECT DISTINCT retailer_id, start_of({unit:String}, day) AS period FROM scope_observation
WHERE month NOT BETWEEN {whole_from:String} AND {whole_to:String}
