SELECT
    held_until > now() AS is_held,
    key = $1::TEXT AND alias IS NOT DISTINCT FROM $2::TEXT AS is_same
FROM shelfmark_payments
WHERE key = $1::TEXT OR alias = $2::TEXT
