-- Drops the answers that can no longer be fetched again with the same payment.
UPDATE shelfmark_payments
SET entry = jsonb_set(entry, '{answer}', 'null')
WHERE
    entry ->> 'state' = 'delivered' AND entry ->> 'retry_key' IS NULL
    AND (entry ->> 'delivered_at')::BIGINT < $1::BIGINT AND entry -> 'answer' <> 'null'
