-- Of processes that start together one makes the tables.
SELECT pg_advisory_xact_lock(8402);

CREATE TABLE IF NOT EXISTS shelfmark_payments (
    key TEXT PRIMARY KEY,
    alias TEXT UNIQUE,
    entry JSONB NOT NULL,
    -- The request at work on it, and until when that is believed to live.
    holder UUID,
    held_until TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
    created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE INDEX IF NOT EXISTS shelfmark_payments_created_at ON shelfmark_payments (created_at);

-- What is kept of settled payments that can no longer be presented; settled_at in Unix milliseconds, amount in base units.
CREATE TABLE IF NOT EXISTS shelfmark_settled_payments (
    key TEXT PRIMARY KEY,
    settled_at BIGINT NOT NULL,
    network TEXT NOT NULL,
    transaction TEXT NOT NULL,
    amount TEXT NOT NULL,
    payer TEXT NOT NULL,
    question TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS shelfmark_settled_payments_settled_at ON shelfmark_settled_payments (settled_at);
