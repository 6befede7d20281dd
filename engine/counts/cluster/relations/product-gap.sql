-- By period, how far the mean log of a product's prices at the queried retailer is from the mean of the others' means: of
-- each entity (is_certain), and of each likely product and each entity in none (is_likely). A shard has all
-- listings of a product. Without the name of its table a column would be its alias, which is never null.
WITH product_listing AS (
  SELECT listing_id, retailer_id, assumeNotNull(entity_id) AS product_id, true AS is_certain,
         listing.likely_id IS NULL AS is_likely
  FROM listing
  WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
    AND listing.entity_id IS NOT NULL
  UNION ALL
  SELECT listing_id, retailer_id, assumeNotNull(likely_id) AS product_id, false AS is_certain, true AS is_likely
  FROM listing
  WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
    AND listing.likely_id IS NOT NULL
), shared_product AS (
  SELECT product_id, is_certain, min(is_likely) AS is_all_likely FROM product_listing GROUP BY product_id, is_certain
  HAVING max(retailer_id = {retailer_id:Int32}) AND max(retailer_id <> {retailer_id:Int32})
), shared_listing AS (
  SELECT listing_id, product_id, is_certain, is_all_likely AS is_likely
  FROM product_listing JOIN shared_product USING (product_id, is_certain)
), product_price AS (
  SELECT period, product_id, is_certain, is_likely, retailer_id = {retailer_id:Int32} AS is_own,
         toInt64(half_away(sum(log_relative(1, price)) / count())) AS mean_log
  FROM listing_period JOIN shared_listing USING (listing_id)
  GROUP BY period, product_id, is_certain, is_likely, retailer_id
)
SELECT toInt32(product_price.period) AS period, is_certain, is_likely,
       if(max(is_own) AND min(is_own) = 0, maxIf(mean_log, is_own) - toInt64(half_away(avgIf(mean_log, NOT is_own))), NULL) AS gap
FROM product_price GROUP BY product_price.period, product_id, is_certain, is_likely
