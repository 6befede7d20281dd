INSERT INTO gpc_group VALUES
  ('78000000', 'Electrical Goods', 'What brings, keeps and joins current.'),
  ('78020000', 'Connection and Supply', 'Supply of current to devices.'),
  ('78021100', 'Batteries and Charging', 'What keeps current and refills it.');

INSERT INTO gpc_brick VALUES
  ('10000546', '78021100', 'Household Batteries', 'Batteries of standard sizes.'),
  ('10000548', '78021100', 'Battery and Phone Chargers', 'Adapters and stations that charge a battery.');
