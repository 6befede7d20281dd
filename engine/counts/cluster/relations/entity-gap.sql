-- By period, how far the mean log of an entity's prices at the queried retailer is from the mean of the others' means; a
-- shard has all listings of an entity. Without the name of its table a column would be its alias, which is never null.
WITH shared_entity AS (
  SELECT assumeNotNull(entity_id) AS entity_id FROM listing
  WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
    AND listing.entity_id IS NOT NULL
  GROUP BY entity_id HAVING max(retailer_id = {retailer_id:Int32}) AND max(retailer_id <> {retailer_id:Int32})
), entity_listing AS (
  SELECT listing_id, assumeNotNull(entity_id) AS entity_id FROM listing
  WHERE country = {country:String} AND category_id BETWEEN {first:Int32} AND {last:Int32}
    AND listing.entity_id IN (SELECT entity_id FROM shared_entity)
), entity_price AS (
  SELECT period, entity_id, retailer_id = {retailer_id:Int32} AS is_own,
         toInt64(half_away(sum(log_relative(1, price)) / count())) AS mean_log
  FROM listing_period JOIN entity_listing USING (listing_id)
  GROUP BY period, entity_id, retailer_id
)
SELECT toInt32(entity_price.period) AS period,
       if(max(is_own) AND min(is_own) = 0, maxIf(mean_log, is_own) - toInt64(half_away(avgIf(mean_log, NOT is_own))), NULL) AS gap
FROM entity_price GROUP BY entity_price.period, entity_id
