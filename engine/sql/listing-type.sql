-- Whether a listing is of the product type in question, for tables that have no column for it: types change with a release,
-- months do not.
CREATE MACRO any_type.is_of_type(in_listing, in_country, in_gpc_first, in_gpc_last) AS true;

CREATE MACRO one_type.is_of_type(in_listing, in_country, in_gpc_first, in_gpc_last) AS
  in_gpc_first IS NULL OR in_listing IN (
    SELECT listing_id FROM listing WHERE country = in_country AND gpc_id BETWEEN in_gpc_first AND in_gpc_last
  );
