-- The observations of a scope with the regular price of their listing (symmetric V filter): a fall is a sale if the first later
-- price that is not below the one before equals it. `sales` has their first day, that price, and the day of its return.
WITH posted AS (
  SELECT listing_id, any(observation.category_id) AS category_id, arraySort(groupArray(tuple(day, toInt64(price)))) AS days
  FROM scope_observation AS observation
  WHERE {retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)}
  GROUP BY listing_id
), sold AS (
  SELECT listing_id, category_id, days,
         arrayFilter(i -> days[i].2 < days[i - 1].2 AND days[i].1 - days[i - 1].1 <= max_sale_days, range(2, length(days) + 1)) AS falls,
         arrayMap(i -> tuple(days[i].1, days[i - 1].2,
           arrayFirst(later -> later.1 > days[i].1 AND later.2 >= days[i - 1].2, days)), falls) AS returns,
         arrayFilter(sale -> sale.3.2 = sale.2 AND sale.3.1 - sale.1 <= max_sale_days, returns) AS sales
  FROM posted
)
SELECT listing_id, category_id, of.1 AS day, of.2 AS price,
       arrayMax(arrayPushFront(arrayMap(sale -> if(day >= sale.1 AND day < sale.3.1, sale.2, 0), sales), price)) AS regular
FROM sold ARRAY JOIN days AS of
