-- Current listings with what the prices of a year say of the newest, as the refresh counted it.
SELECT * FROM current_listing
