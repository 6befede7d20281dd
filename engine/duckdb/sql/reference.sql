-- The reference tables of a snapshot (data/README.md).
CREATE VIEW gpc_node AS SELECT * FROM read_parquet(getvariable('snapshot') || '/gpc_nodes.parquet');
CREATE VIEW gpc_attribute AS SELECT * FROM read_parquet(getvariable('snapshot') || '/gpc_attributes.parquet');
CREATE VIEW gpc_shelf AS SELECT * FROM read_parquet(getvariable('snapshot') || '/gpc_shelves.parquet');
CREATE VIEW browse_node AS SELECT * FROM read_parquet(getvariable('snapshot') || '/browse_nodes.parquet');
CREATE VIEW lexicon AS SELECT * FROM read_parquet(getvariable('snapshot') || '/lexicon.parquet');
CREATE VIEW crosswalk AS SELECT * FROM read_parquet(getvariable('snapshot') || '/crosswalk.parquet');
CREATE VIEW official_figure AS SELECT * FROM read_parquet(getvariable('snapshot') || '/official_figures.parquet');
CREATE VIEW index_month AS SELECT * FROM read_parquet(getvariable('snapshot') || '/index_months.parquet');

-- The fields of a browse node that answers have, as JSON.
CREATE VIEW matched_node AS
SELECT browse_id, marketplace, gpc_code, match_source, to_json({
  browse_id: browse_id, name: name, path: path, in_serving_catalog: in_serving_catalog, gpc_code: gpc_code,
  match_precision: match_precision, match_source: match_source, inherited_from: inherited_from,
  assurance_state: assurance_state, stop: stop
})::VARCHAR AS node
FROM browse_node;

-- The nodes with some ids; for an id in both marketplaces, that of us.
CREATE MACRO matched_node_of(in_browse_ids) AS TABLE
SELECT max_by(node, marketplace) AS node
FROM matched_node
WHERE browse_id IN (SELECT unnest(string_split(in_browse_ids, ',')))
GROUP BY browse_id;

-- The attributes of a brick with their allowed values, as JSON, in the order of the release.
CREATE VIEW brick_attributes AS
SELECT brick_code, to_json(list({
  name: title, allowed_values: value_titles, value_count: len(value_titles)::INTEGER
} ORDER BY ordinal))::VARCHAR AS attributes
FROM gpc_attribute
GROUP BY brick_code;
