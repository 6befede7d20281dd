-- Of any number of claims at once, one inserts the row, and one takes over a row that nobody holds.
INSERT INTO shelfmark_payments AS payment (key, alias, entry, holder, held_until)
VALUES ($1::TEXT, $2::TEXT, $3::JSONB, $4::UUID, now() + $5::INTEGER * INTERVAL '1 ms')
ON CONFLICT (key) DO UPDATE
SET holder = excluded.holder, held_until = excluded.held_until
WHERE payment.held_until < now() AND payment.alias IS NOT DISTINCT FROM excluded.alias
RETURNING entry
