SELECT phrase, phrase_key, outcome, gpc_code, candidate_codes, reason, note FROM previous_lexicon ORDER BY phrase_key;
