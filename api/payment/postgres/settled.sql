DECLARE settled NO SCROLL CURSOR FOR
WITH payments AS (
    SELECT key, settled_at, network, transaction, amount, payer, question, is_verified
    FROM shelfmark_settled_payments
    UNION ALL
    SELECT
        key,
        (entry -> 'settlement' ->> 'at')::BIGINT,
        entry -> 'settlement' ->> 'network',
        entry -> 'settlement' ->> 'transaction',
        entry -> 'settlement' ->> 'amount',
        entry -> 'settlement' ->> 'payer',
        entry ->> 'question',
        coalesce((entry -> 'settlement' ->> 'is_verified')::BOOLEAN, FALSE)
    FROM shelfmark_payments
    WHERE entry -> 'settlement' IS NOT NULL
)
SELECT settled_at, network, transaction, amount, payer, question, is_verified
FROM payments
WHERE settled_at >= $1::BIGINT AND settled_at < $2::BIGINT
ORDER BY settled_at, key
