UPDATE shelfmark_payments
SET owed = TRUE
WHERE key = $1::TEXT AND holder = $2::UUID
