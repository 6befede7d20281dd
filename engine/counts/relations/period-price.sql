-- The listing-period prices of a scope, of all retailers; periods by their first day since 1970.
SELECT period - DATE '1970-01-01' AS period, retailer_id, price FROM listing_period
