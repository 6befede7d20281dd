INSERT INTO gpc_group VALUES
  ('68000000', 'Audio, Video, Photo', 'Sound and pictures.'),
  ('68010000', 'Audio and Video', 'Devices for sound and moving pictures.'),
  ('68010100', 'Television Sets', 'Devices that show television.'),
  ('68010300', 'Portable Audio', 'Sound to carry.'),
  ('68010400', 'Home Audio', 'Sound devices that stay in one place.'),
  ('68010700', 'Audio and Video Accessories', 'What is joined to a device for sound or pictures.'),
  ('68020000', 'Photo', 'Photography and optics.'),
  ('68020100', 'Photographic Equipment', 'Cameras and lenses.');

INSERT INTO gpc_brick VALUES
  ('10001400', '68010100', 'Televisions', 'Television sets that stay in one place.'),
  ('10001422', '68010300', 'Portable Radio Sets', 'Radios with a battery.'),
  ('10005710', '68010300', 'Portable Speakers', 'Speakers with a battery.'),
  ('10001436', '68010400', 'Soundbars and Speaker Sets', 'Speakers that belong together, for a room or a screen.'),
  ('10001439', '68010400', 'Record Players', 'Devices that play vinyl records.'),
  ('10001467', '68010700', 'Headphones', 'Headphones, earphones and headsets for listening.'),
  ('10001470', '68010700', 'Remote Controls', 'Remote controls for devices of any maker.'),
  ('10001477', '68010700', 'Television Mounts', 'Stands and brackets for screens and speakers.'),
  ('10001487', '68020100', 'Digital Cameras', 'Cameras that store pictures as files.'),
  ('10001491', '68020100', 'Camera Lenses', 'Lenses that a camera can change.');
