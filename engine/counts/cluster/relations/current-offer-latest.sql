-- Current listings with what the prices of a year say of the newest, as the refresh counted it.
SELECT * REPLACE (toString(last_lower_day) AS last_lower_day) FROM listed_price
