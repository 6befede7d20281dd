-- in: feed_file, cell, previous_listing, stored_attribute, arrival out: withdrawal, withdrawn_listing, previous_attribute
-- Adds withdrawals for deliveries of whole months, which replace the lake's rows of their retailers in these months.
INSERT INTO withdrawal
SELECT DISTINCT platform, country, make_date(month // 100, month % 100, 1), last_day(make_date(month // 100, month % 100, 1))
FROM cell JOIN feed_file ON feed_file.number = cell.file
WHERE is_whole_month AND fault IS NULL;

-- Listings that lose rows without new rows of those days: those without other rows are removed (`is_gone`), and the
-- first and last days of the others are found again in all their months.
INSERT INTO withdrawn_listing
WITH losing AS (
  SELECT DISTINCT listing_id, attribute.country, platform, product_id, listing.first_day, listing.last_day,
    withdrawal.first_day AS from_day, withdrawal.last_day AS to_day
  FROM previous_attribute AS attribute
  JOIN (SELECT listing_id, first_day, last_day FROM previous_listing) AS listing USING (listing_id)
  JOIN withdrawal USING (platform, country)
  WHERE listing.last_day >= withdrawal.first_day AND listing.first_day <= withdrawal.last_day
    OR listing.first_day IS NULL AND withdrawal.first_day = DATE '0001-01-01' AND withdrawal.last_day = DATE '9999-12-31'
),
arrived AS (
  SELECT country, platform, product_id, observed_at::DATE AS day FROM arrival
  SEMI JOIN withdrawal USING (platform, country)
),
repeated AS (
  SELECT DISTINCT listing_id, from_day FROM losing JOIN arrived USING (country, platform, product_id)
  WHERE day BETWEEN from_day AND to_day
),
bare AS (
  SELECT losing.listing_id, losing.country, losing.first_day, losing.last_day,
    coalesce(losing.first_day >= losing.from_day AND losing.last_day <= losing.to_day, true) AS is_covered
  FROM losing ANTI JOIN repeated USING (listing_id, from_day)
)
SELECT listing_id, country, first_day, last_day, bool_or(is_covered) AND max(kept.id) IS NULL
FROM bare LEFT JOIN (SELECT DISTINCT listing_id AS id FROM repeated) AS kept ON kept.id = bare.listing_id
GROUP BY listing_id, country, first_day, last_day;

-- Later steps do not see removed listings.
CREATE OR REPLACE VIEW previous_attribute AS
FROM stored_attribute
ANTI JOIN (SELECT listing_id FROM withdrawn_listing WHERE is_gone) AS gone USING (listing_id);
