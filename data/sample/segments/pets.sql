INSERT INTO gpc_group VALUES
  ('10000000', 'Pets', 'Everything kept pets need.'),
  ('10100000', 'Pet Keeping', 'Goods for keeping a pet, food aside.'),
  ('10101500', 'Pet Hygiene', 'Goods that keep a pet and its place clean.'),
  ('10101700', 'Pet Equipment', 'Durable goods a pet uses.'),
  ('10110000', 'Pet Nutrition', 'Food and drink for pets.'),
  ('10111600', 'Pet Meals and Treats', 'What pets eat.');

INSERT INTO gpc_brick VALUES
  ('10000508', '10101500', 'Pet Grooming', 'Brushes, clippers and shampoos for pets.'),
  ('10000510', '10101500', 'Pet Litter and Hygiene', 'Litter, pads and other means of hygiene for pets.'),
  ('10000641', '10101700', 'Pet Toys', 'Toys for pets, without power.'),
  ('10000643', '10101700', 'Pet Clothing', 'Coats, boots and other things pets wear.'),
  ('10000660', '10101700', 'Pet Bowls and Feeders', 'Bowls, fountains and feeders for pets.'),
  ('10008287', '10101700', 'Pet Beds', 'Beds, baskets and cushions for pets.'),
  ('10008288', '10101700', 'Pet Carriers', 'Bags, boxes and crates in which pets travel.'),
  ('10008290', '10101700', 'Pet Collars and Leads', 'Collars, harnesses and leads for pets, without power.'),
  ('10000521', '10111600', 'Pet Food, Chilled', 'Pet food kept in a refrigerator.'),
  ('10000522', '10111600', 'Pet Food, Shelf Stable', 'Pet food that keeps without cooling, dry or wet.'),
  ('10008038', '10111600', 'Pet Treats', 'Snacks and chews for pets that keep without cooling.');
