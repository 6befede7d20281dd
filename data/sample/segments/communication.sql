INSERT INTO gpc_group VALUES
  ('66000000', 'Telephones', 'Devices for speaking at a distance.'),
  ('66010000', 'Communication Devices', 'Telephones and what belongs to them.'),
  ('66010100', 'Phone Accessories', 'Accessories of telephones.'),
  ('66010300', 'Mobile Devices', 'Telephones to carry.');

INSERT INTO gpc_brick VALUES
  ('10001177', '66010100', 'Phone Mounts', 'Holders that keep a phone in its place.'),
  ('10001178', '66010100', 'Phone Cases', 'Cases that protect a phone.'),
  ('10001198', '66010300', 'Mobile Phones', 'Mobile phones, smart or simple.');
