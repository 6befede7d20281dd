-- The prices of the category by period, and the gaps between the retailer and others for the entities that both sell; a shard
-- has all listings of an entity. Kinds as in series.ts. Without the name of its table a column would be its alias, which is
-- never null.
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
  SELECT period, entity_id, retailer_id = {retailer_id:Int32} AS own,
         toInt64(half_away(sum(log_relative(1, price)) / count())) AS mean_log
  FROM listing_period JOIN entity_listing USING (listing_id)
  GROUP BY period, entity_id, retailer_id
), entity_gap AS (
  SELECT period, entity_id, maxIf(mean_log, own) - toInt64(half_away(avgIf(mean_log, NOT own))) AS gap
  FROM entity_price GROUP BY period, entity_id HAVING max(own) AND min(own) = 0
)
SELECT * FROM (
  SELECT 5 AS kind, toInt32(period) AS of_period, count() AS n, [toInt64(sum(price)), 0] AS sums
  FROM listing_period GROUP BY of_period
  UNION ALL
  SELECT 6 AS kind, toInt32(period) AS of_period, count() AS n,
         [toInt64(sum(intDiv(gap, 1000000))), toInt64(sum(gap % 1000000))] AS sums
  FROM entity_gap GROUP BY of_period
)
ORDER BY kind, of_period
