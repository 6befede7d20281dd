DELETE FROM shelfmark_payments
WHERE created_at < now() - $1::BIGINT * INTERVAL '1 ms'
