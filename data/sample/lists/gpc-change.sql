-- What the newest release brought, and what it dropped.
INSERT INTO gpc_change VALUES
  ('10008178', 'new'), ('10008179', 'new'), ('10008180', 'new'), ('10000111', 'retired'),
  ('10008372', 'new'), ('10008373', 'new'), ('10008377', 'new'), ('10000384', 'retired'), ('10000781', 'retired'),
  ('10008119', 'new'), ('10008145', 'new'), ('10000636', 'retired');
