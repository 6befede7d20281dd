WITH forgotten AS (
    DELETE FROM shelfmark_payments
    WHERE created_at < now() - $1::BIGINT * INTERVAL '1 ms'
    RETURNING key, entry, entry -> 'settlement' AS settlement
)
INSERT INTO shelfmark_settled_payments (key, settled_at, network, transaction, amount, payer, question, is_verified)
SELECT
    key,
    (settlement ->> 'at')::BIGINT,
    settlement ->> 'network',
    settlement ->> 'transaction',
    settlement ->> 'amount',
    settlement ->> 'payer',
    entry ->> 'question',
    coalesce((settlement ->> 'is_verified')::BOOLEAN, FALSE)
FROM forgotten
WHERE settlement IS NOT NULL
ON CONFLICT (key) DO NOTHING
