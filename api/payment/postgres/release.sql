DELETE FROM shelfmark_payments
WHERE key = $1::TEXT AND holder = $2::UUID
