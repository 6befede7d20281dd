-- The price changes of a product at one retailer (leader) that another one (follower) was watched after: seen at least twice in the
-- days that it has to follow. Its answer is its first change that surely came later: the price before was still seen on the day of
-- the leader's new one or after it.
WITH compared AS (
  SELECT listing_id, retailer_id, entity_uid FROM sold_listing WHERE is_joined AND is_chosen
), posted AS MATERIALIZED (
  SELECT listing_id, day, price, lag(day) OVER own AS previous_day, lag(price) OVER own AS previous_price, lead(day) OVER own AS next_day
  FROM scope_observation SEMI JOIN compared USING (listing_id)
  WINDOW own AS (PARTITION BY listing_id ORDER BY day)
), changed AS MATERIALIZED (
  SELECT listing_id, day, previous_day, price > previous_price AS is_rise FROM posted
  WHERE price <> previous_price AND day <= previous_day + $max_gap_days::INTEGER AND plausible(previous_price, price)
), met AS (
  SELECT own.retailer_id AS leader_id, other.retailer_id AS follower_id, other.listing_id AS listing_id, day, is_rise,
         day + $follow_days::INTEGER AS last_day
  FROM changed JOIN compared AS own USING (listing_id)
  JOIN compared AS other ON other.entity_uid = own.entity_uid AND other.retailer_id <> own.retailer_id
  WHERE day + $follow_days::INTEGER < $to::DATE
), watched AS (
  SELECT met.* FROM met ASOF JOIN posted ON posted.listing_id = met.listing_id AND met.day <= posted.day
  WHERE posted.next_day <= last_day
)
SELECT leader_id, follower_id, watched.is_rise,
       coalesce(changed.day <= last_day AND changed.is_rise = watched.is_rise, false) AS is_followed,
       coalesce(changed.day <= last_day AND changed.is_rise <> watched.is_rise, false) AS is_opposed
FROM watched ASOF LEFT JOIN changed ON changed.listing_id = watched.listing_id AND watched.day <= changed.previous_day
