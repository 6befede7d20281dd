-- The listing-period prices of a scope, of all retailers; periods by their first day since 1970.
SELECT toInt32(listing_period.period) AS period, retailer_id, price FROM listing_period
