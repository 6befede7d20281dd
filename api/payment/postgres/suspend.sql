UPDATE shelfmark_payments
SET holder = NULL, held_until = '-infinity'
WHERE key = $1::TEXT AND holder = $2::UUID
