-- Of processes that start at the same time, one creates the tables.
SELECT pg_advisory_xact_lock(8402);

CREATE TABLE IF NOT EXISTS shelfmark_payments (
    key TEXT PRIMARY KEY,
    alias TEXT UNIQUE,
    entry JSONB NOT NULL,
    -- The request that holds it, and until when that is assumed to be alive.
    holder UUID,
    held_until TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    -- Whether the request that presented it has ended without the answer, even if another request holds it.
    owed BOOLEAN NOT NULL DEFAULT FALSE
);

-- For tables of earlier versions.
ALTER TABLE shelfmark_payments ADD COLUMN IF NOT EXISTS owed BOOLEAN NOT NULL DEFAULT FALSE;

CREATE INDEX IF NOT EXISTS shelfmark_payments_created_at ON shelfmark_payments (created_at);

CREATE INDEX IF NOT EXISTS shelfmark_payments_in_doubt ON shelfmark_payments (created_at)
WHERE entry ->> 'state' = 'settling';

CREATE INDEX IF NOT EXISTS shelfmark_payments_unanswered ON shelfmark_payments ((entry ->> 'payer'))
WHERE entry ->> 'state' IN ('settling', 'settled');

CREATE INDEX IF NOT EXISTS shelfmark_payments_handed_to ON shelfmark_payments ((entry ->> 'handed_to'))
WHERE entry ->> 'handed_to' IS NOT NULL;

-- Each payer has its own retry keys, and one payment under each.
CREATE UNIQUE INDEX IF NOT EXISTS shelfmark_payments_retry_key
ON shelfmark_payments ((entry ->> 'payer'), md5(entry ->> 'retry_key'));

-- Settled payments that can no longer be presented; settled_at in Unix milliseconds, amount in base units.
CREATE TABLE IF NOT EXISTS shelfmark_settled_payments (
    key TEXT PRIMARY KEY,
    settled_at BIGINT NOT NULL,
    network TEXT NOT NULL,
    transaction TEXT NOT NULL,
    amount TEXT NOT NULL,
    payer TEXT NOT NULL,
    question TEXT NOT NULL,
    is_verified BOOLEAN NOT NULL DEFAULT FALSE
);

-- For tables of earlier versions.
ALTER TABLE shelfmark_settled_payments ADD COLUMN IF NOT EXISTS is_verified BOOLEAN NOT NULL DEFAULT FALSE;

CREATE INDEX IF NOT EXISTS shelfmark_settled_payments_settled_at ON shelfmark_settled_payments (settled_at);
