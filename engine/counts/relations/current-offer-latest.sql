-- Current listings with what the prices of a year say of the newest, as the refresh counted it.
SELECT * REPLACE (strftime(last_lower_day, '%Y-%m-%d') AS last_lower_day) FROM listed_price
