-- Of processes that start together one makes the table.
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
