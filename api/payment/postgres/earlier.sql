-- The payment whose answer a new one of the same payer gets: with the same retry key, handed to it already, or owed.
-- One that another process holds may be owed: until its lease ends, that process may be alive or dead.
SELECT entry FROM (
    SELECT
        entry,
        created_at,
        1 AS choice
    FROM shelfmark_payments
    WHERE
        entry ->> 'payer' = $1::TEXT
        AND md5(entry ->> 'retry_key') = md5($2::TEXT)
    UNION ALL
    SELECT
        entry,
        created_at,
        2 AS choice
    FROM shelfmark_payments
    WHERE
        entry ->> 'handed_to' = $4::TEXT
        AND entry ->> 'payer' = $1::TEXT
        AND entry ->> 'question' = $3::TEXT
        AND (entry ->> 'delivered_at')::BIGINT > $5::BIGINT
    UNION ALL
    SELECT
        entry,
        created_at,
        3 AS choice
    FROM shelfmark_payments
    WHERE
        entry ->> 'payer' = $1::TEXT
        AND entry ->> 'state' IN ('settling', 'settled')
        AND entry ->> 'question' = $3::TEXT
        AND (owed OR held_until < now() OR holder <> ALL($7::UUID []))
        AND created_at > now() - $6::BIGINT * INTERVAL '1 ms'
) AS candidates
ORDER BY choice, created_at
LIMIT 1
