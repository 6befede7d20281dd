-- Drops the answers whose time to be fetched again with the payment alone is over.
UPDATE shelfmark_payments
SET entry = jsonb_set(entry, '{answer}', 'null')
WHERE
    entry ->> 'state' = 'delivered' AND entry ->> 'retry_key' IS NULL
    AND (entry ->> 'delivered_at')::BIGINT < $1::BIGINT AND entry -> 'answer' <> 'null'
