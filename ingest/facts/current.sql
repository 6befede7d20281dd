-- in: latest, previous_listing, withdrawn_listing out: current_price
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
