-- The listing-period prices of a window: of whole months from their roll-up, of all other days from the observations.
FROM listing_period_months
UNION ALL
FROM listing_period_days
