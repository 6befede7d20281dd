SELECT key
FROM shelfmark_payments
WHERE entry ->> 'state' = 'settling' AND held_until < now()
ORDER BY created_at
LIMIT $1::INTEGER
