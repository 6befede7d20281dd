-- in: attribute out:
-- Listings with a title of more than 500 characters: often a description, or several columns that were read as one.

SELECT count(*)::INTEGER AS listings,
  arg_min({'platform': platform, 'country': country, 'product_id': product_id}, listing_id) AS first
FROM attribute
WHERE length(product_name.value) > 500;
