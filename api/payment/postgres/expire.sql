DELETE FROM shelfmark_settled_payments
WHERE settled_at < $1::BIGINT
