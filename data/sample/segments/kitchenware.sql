INSERT INTO gpc_group VALUES
  ('73000000', 'Kitchen and Table', 'Goods for kitchen and table.'),
  ('73040000', 'Kitchen Goods', 'Goods for cooking.'),
  ('73040100', 'Food Keeping', 'Vessels that keep food.'),
  ('73040400', 'Cookware', 'Vessels to cook in.'),
  ('73040600', 'Preparation Tools', 'Hand tools that prepare food.'),
  ('73050000', 'Table Goods', 'Goods for eating and drinking.'),
  ('73050200', 'Crockery', 'What food is served on, used again.'),
  ('73050300', 'Cups and Bottles', 'What one drinks from, used again.');

INSERT INTO gpc_brick VALUES
  ('10002122', '73040100', 'Food Storage Containers', 'Boxes and jars that keep food.'),
  ('10002144', '73040400', 'Pots and Pans', 'Pots and pans for the hob.'),
  ('10002150', '73040400', 'Bakeware', 'Tins and dishes for the oven.'),
  ('10002147', '73040600', 'Chopping Boards', 'Boards to cut food on.'),
  ('10002168', '73040600', 'Kitchen Knives', 'Knives for preparing food.'),
  ('10002153', '73050200', 'Plates', 'Plates used again.'),
  ('10002155', '73050300', 'Mugs', 'Mugs and cups used again.'),
  ('10008282', '73050300', 'Water Bottles', 'Bottles to fill again, for drinking on the move.');
