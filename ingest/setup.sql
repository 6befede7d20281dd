SET TimeZone = 'UTC';
SET preserve_insertion_order = true;
SET enable_progress_bar = false;
