-- Every listing's entity and what anchors it. The uid is made of the anchor alone.
CREATE TABLE entity AS
WITH anchored AS (
  SELECT listing_id, coalesce(offer.barcode, best.barcode) AS barcode, best.key AS key, product_uid, condition
  FROM offer LEFT JOIN titled USING (listing_id)
),
told AS (
  SELECT listing_id,
    CASE WHEN barcode IS NOT NULL THEN 'barcode' WHEN key IS NOT NULL THEN 'title' ELSE 'listing' END AS basis,
    CASE WHEN barcode IS NOT NULL THEN concat_ws('|', barcode, nullif(condition, 'new'))
         ELSE coalesce(key, product_uid) END AS anchor
  FROM anchored
)
SELECT listing_id, 'e_' || base32(left(sha256(concat_ws('|', basis, anchor)), 20)) AS entity_uid, basis
FROM told;

-- Nothing after this asks how: the room is needed.
DROP TABLE title_reading;
DROP TABLE title_key;
DROP TABLE titled;
DROP TABLE offer;
