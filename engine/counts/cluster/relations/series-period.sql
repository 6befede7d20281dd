-- The periods of the listing-period prices of a series, by their first day since 1970; they repeat.
SELECT toInt32(listing_period.period) AS period FROM listing_period
WHERE {retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)}
