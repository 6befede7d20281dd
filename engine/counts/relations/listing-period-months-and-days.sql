-- The listing-period prices of a window: full months from their roll-up, all other days from the observations.
FROM listing_period_months
UNION ALL
FROM listing_period_days
