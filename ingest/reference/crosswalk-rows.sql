SELECT marketplace, browse_id, predicate, gpc_code, is_not, assurance_state FROM crosswalk ORDER BY ALL;
