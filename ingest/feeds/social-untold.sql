-- A row that cannot be split may hold what somebody wrote: of a post it is counted, not kept.
UPDATE quarantine SET value = NULL
WHERE file = getvariable('file')['number']::INTEGER AND code = 'ROW_MALFORMED';
