INSERT INTO gpc_group VALUES
  ('65000000', 'Computers and Consoles', 'Computers and what works with them.'),
  ('65010000', 'Computers and Games', 'Computers, consoles and peripherals.'),
  ('65010100', 'Computer Accessories', 'What protects, carries or powers a computer.'),
  ('65010500', 'Computers', 'Complete computers.'),
  ('65010600', 'Input Devices', 'Devices that give a computer orders.'),
  ('65010700', 'Peripherals', 'Devices joined to a computer.'),
  ('65011000', 'Game Consoles', 'Computers for games alone.');

INSERT INTO gpc_brick VALUES
  ('10001107', '65010100', 'Computer Bags and Sleeves', 'Cases to carry a computer in.'),
  ('10001124', '65010100', 'Computer Power Adapters', 'Supplies that power a computer.'),
  ('10005741', '65010100', 'Gaming Headsets', 'Headsets for computers and games.'),
  ('10001144', '65010500', 'Desktop Computers', 'Computers that stay in one place.'),
  ('10001145', '65010500', 'Portable Computers', 'Computers with screen and keyboard, to carry.'),
  ('10006276', '65010500', 'Tablets and E-Readers', 'Computers worked on the screen.'),
  ('10006743', '65010500', 'Smartwatches', 'Watches that run programs.'),
  ('10001150', '65010600', 'Keyboards', 'Keyboards joined to a computer.'),
  ('10001151', '65010600', 'Mice and Trackballs', 'Devices that point on a screen.'),
  ('10001153', '65010700', 'Monitors', 'Screens for computers and games.'),
  ('10001158', '65010700', 'Computer Printers', 'Devices that print what a computer sends.'),
  ('10001161', '65010700', 'Webcams', 'Cameras joined to a computer.'),
  ('10003817', '65011000', 'Home Consoles', 'Consoles that stay in one place.'),
  ('10003818', '65011000', 'Handheld Consoles', 'Consoles to carry.');
