WITH promotion AS (
  SELECT if({by_brand:Bool}, brand_id, retailer_id) AS ranked_id,
         on_promotion(promo_flag, price, list_price) AS is_promoted, promotion_depth(price, list_price) AS depth
  FROM scope_observation
  WHERE {retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)}
)
SELECT assumeNotNull(ranked_id) AS ranked, count() AS n,
       [toInt64(countIf(is_promoted)), toInt64(countIf(is_promoted AND depth IS NOT NULL)),
        toInt64(sumIf(coalesce(depth, 0), is_promoted))] AS sums,
       maxIf(coalesce(depth, 0), is_promoted) AS max_depth
FROM promotion
WHERE ranked_id IS NOT NULL
GROUP BY ranked
ORDER BY ranked
