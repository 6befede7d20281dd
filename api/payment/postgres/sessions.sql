-- Of processes that start at the same time, one creates the table.
SELECT pg_advisory_xact_lock(8402);

CREATE TABLE IF NOT EXISTS shelfmark_sessions (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    is_open BOOLEAN NOT NULL
);

CREATE INDEX IF NOT EXISTS shelfmark_sessions_open ON shelfmark_sessions (id) WHERE is_open;
