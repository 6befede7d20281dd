UPDATE shelfmark_payments
SET entry = $3::JSONB, held_until = now() + $4::INTEGER * INTERVAL '1 ms'
WHERE key = $1::TEXT AND holder = $2::UUID
