-- The listing-period prices of a window: full months from their roll-up, all other days from the observations.
SELECT * FROM listing_period_months
UNION ALL
SELECT * FROM listing_period_days
