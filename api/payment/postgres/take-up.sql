UPDATE shelfmark_payments
SET
    holder = $2::UUID,
    held_until = now() + $3::INTEGER * INTERVAL '1 ms',
    owed = entry ->> 'state' <> 'claimed'
WHERE key = $1::TEXT AND held_until < now() AND entry ->> 'state' <> 'delivered'
RETURNING entry
