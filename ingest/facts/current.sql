-- Every listing's latest observation. Months that were merged tell theirs; a row the lake had before lacks the time of
-- scraping, which the listing knows if it was its latest.
CREATE TABLE current_price AS
WITH told AS (
  SELECT listing_id, observed_at, scraped_at, price, list_price, promo_flag, in_stock, first_day, last_day, 1 AS rank
  FROM latest
  UNION ALL
  SELECT listing_id, observed_at, scraped_at, price, list_price, promo_flag, in_stock, first_day, last_day, 0
  FROM previous_listing WHERE observed_at IS NOT NULL
),
spanned AS (
  SELECT listing_id, min(first_day) AS first_day, max(last_day) AS last_day,
    max({'at': observed_at, 'rank': rank}) AS best
  FROM told GROUP BY listing_id
)
SELECT told.* EXCLUDE (rank, first_day, last_day, scraped_at),
  coalesce(told.scraped_at, previous_listing.scraped_at) AS scraped_at, spanned.first_day, spanned.last_day
FROM told
JOIN spanned ON told.listing_id = spanned.listing_id AND observed_at = best.at AND rank = best.rank
LEFT JOIN previous_listing ON previous_listing.listing_id = told.listing_id
  AND previous_listing.observed_at = told.observed_at;
