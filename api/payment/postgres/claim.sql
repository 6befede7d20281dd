-- Of concurrent claims one inserts the row, and one takes over a row that nobody holds. An abandoned claim counts as
-- none; in any other state the request that presented the payment has ended.
INSERT INTO shelfmark_payments AS payment (key, alias, entry, holder, held_until)
VALUES ($1::TEXT, $2::TEXT, $3::JSONB, $4::UUID, now() + $5::INTEGER * INTERVAL '1 ms')
ON CONFLICT (key) DO UPDATE
SET
    holder = excluded.holder,
    held_until = excluded.held_until,
    entry = CASE WHEN payment.entry ->> 'state' = 'claimed' THEN excluded.entry ELSE payment.entry END,
    owed = payment.entry ->> 'state' <> 'claimed'
WHERE payment.held_until < now() AND payment.alias IS NOT DISTINCT FROM excluded.alias
RETURNING entry
