SELECT held_until > now() AS is_held
FROM shelfmark_payments
WHERE key = $1::TEXT OR alias = $2::TEXT
