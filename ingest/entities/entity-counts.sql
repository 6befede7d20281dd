SELECT 'anchors' AS part, basis AS name, count(*)::INTEGER AS count FROM entity GROUP BY basis
UNION ALL
SELECT 'suspect_barcodes', reason, count(*)::INTEGER FROM suspect_barcode GROUP BY reason
UNION ALL
SELECT 'changes', kind, count(*)::INTEGER FROM entity_change GROUP BY kind
ORDER BY part, name;
