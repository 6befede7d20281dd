SELECT node FROM matched_node_of($browse_ids::VARCHAR)
