-- The observations of a scope of which the retailer states whether the listing can be bought.
SELECT retailer_id, brand_id, NOT in_stock AS is_out FROM scope_observation WHERE in_stock IS NOT NULL
