-- The pairs of retailers that sell a product new, each retailer with itself, too: of entities, and (is_likely) of likely products
-- and entities in none. A retailer's price of a product is its lowest; its log is compared with the mean log of all sellers.
WITH offered AS (
  SELECT entity_uid AS uid, false AS is_likely, retailer_id, price FROM new_listing WHERE entity_uid IS NOT NULL
  UNION ALL
  SELECT product_uid, true, retailer_id, price FROM new_listing WHERE product_uid IS NOT NULL
), lowest AS (
  SELECT uid, is_likely, retailer_id, min(price) AS price, log_relative(1, min(price)) AS log
  FROM offered GROUP BY uid, is_likely, retailer_id
), sold AS MATERIALIZED (
  SELECT uid, is_likely, retailer_id, price, count(*) OVER product AS seller_count,
         log - round(sum(log) OVER product / count(*) OVER product)::BIGINT AS deviation
  FROM lowest WINDOW product AS (PARTITION BY uid, is_likely)
)
SELECT is_likely, retailer_id, retailer_id AS other_id, seller_count::INTEGER AS seller_count, true AS is_equal, deviation,
       round(deviation / 1e6)::BIGINT * round(deviation / 1e6)::BIGINT AS square
FROM sold
UNION ALL
SELECT is_likely, own.retailer_id, other.retailer_id, own.seller_count::INTEGER, own.price = other.price, NULL, NULL
FROM sold AS own JOIN sold AS other USING (uid, is_likely)
WHERE own.retailer_id < other.retailer_id AND own.seller_count > 1 AND other.seller_count > 1
