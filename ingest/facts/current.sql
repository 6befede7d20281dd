-- in: latest, previous_listing, withdrawn_listing, written_observation out: current_price, lowness
-- Every listing's latest observation, from the merged months or the previous snapshot. Rows of the lake lack the time
-- of scraping, which is in the listing if the row was its latest.
CREATE TABLE current_price AS
WITH candidate AS (
  SELECT listing_id, observed_at, scraped_at, price, list_price, promo_flag, in_stock, first_day, last_day, 1 AS rank
  FROM latest
  UNION ALL
  SELECT listing_id, observed_at, scraped_at, price, list_price, promo_flag, in_stock, first_day, last_day, 0
  FROM previous_listing ANTI JOIN withdrawn_listing USING (listing_id) WHERE observed_at IS NOT NULL
),
spanned AS (
  SELECT listing_id, min(first_day) AS first_day, max(last_day) AS last_day,
    max({'at': observed_at, 'rank': rank}) AS best
  FROM candidate GROUP BY listing_id
)
SELECT candidate.* EXCLUDE (rank, first_day, last_day, scraped_at),
  coalesce(candidate.scraped_at, previous_listing.scraped_at) AS scraped_at, spanned.first_day, spanned.last_day
FROM candidate
JOIN spanned ON candidate.listing_id = spanned.listing_id AND observed_at = best.at AND rank = best.rank
LEFT JOIN previous_listing ON previous_listing.listing_id = candidate.listing_id
  AND previous_listing.observed_at = candidate.observed_at;

-- How low the newest price of each listing is: among the prices of the 365 days before it and of its own day, without those
-- that were out of stock. What listings without a row in the merged months have is that of the previous snapshot.
CREATE TEMP TABLE compared AS
SELECT listing_id, current_price.price AS last_price, current_price.last_day
FROM current_price LEFT JOIN previous_listing USING (listing_id)
WHERE previous_listing.observed_days IS NULL OR listing_id IN (SELECT listing_id FROM latest);

-- A constant, so that months before it are not read.
SET VARIABLE first_month = (SELECT strftime(min(last_day) - 365, '%Y-%m') FROM compared);

CREATE TABLE lowness AS
SELECT listing_id, count(*)::INTEGER AS observed_days, (count(*) FILTER (price < last_price))::INTEGER AS lower_days,
  max(day) FILTER (price < last_price) AS last_lower_day,
  arg_max(price, day) FILTER (price <> last_price) AS previous_price
FROM written_observation JOIN compared USING (listing_id)
WHERE month >= getvariable('first_month') AND day BETWEEN last_day - 365 AND last_day
  AND in_stock IS DISTINCT FROM false
GROUP BY listing_id
UNION ALL
SELECT listing_id, observed_days, lower_days, last_lower_day, previous_price
FROM previous_listing SEMI JOIN current_price USING (listing_id) ANTI JOIN compared USING (listing_id);
