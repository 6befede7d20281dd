INSERT INTO gpc_group VALUES
  ('74000000', 'Outdoor Living', 'Equipment for sleeping and living outdoors.'),
  ('74010000', 'Camping Equipment', 'Equipment for a camp.'),
  ('74010100', 'Tents and Shelters', 'Shelters of fabric.'),
  ('74010300', 'Camp Furniture', 'What one sleeps and sits on in a camp.'),
  ('74010400', 'Camp Kitchen', 'What one cooks and cools with in a camp.');

INSERT INTO gpc_brick VALUES
  ('10002069', '74010100', 'Tents', 'Shelters of fabric for camping.'),
  ('10002079', '74010300', 'Camp Beds and Mats', 'Beds, mats and mattresses for sleeping outdoors.'),
  ('10002080', '74010300', 'Sleeping Bags', 'Padded bags for sleeping outdoors.'),
  ('10002081', '74010300', 'Camp Chairs', 'Folding chairs and stools.'),
  ('10002087', '74010400', 'Camp Stoves', 'Stoves and grills to carry.'),
  ('10002091', '74010400', 'Cool Boxes', 'Insulated boxes and bags.');
