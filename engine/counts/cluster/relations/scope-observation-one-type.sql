-- The product type comes from the listings: it changes with a GPC release, observations do not.
SELECT * FROM scope_observation_any_type
WHERE listing_id IN (
  SELECT listing_id FROM listing
  WHERE country = {country:String} AND gpc_id BETWEEN {gpc_first:Nullable(Int32)} AND {gpc_last:Nullable(Int32)})
