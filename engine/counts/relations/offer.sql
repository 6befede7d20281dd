-- Current listings with what the prices of the year to the newest say of it.
SELECT * FROM current_offer
