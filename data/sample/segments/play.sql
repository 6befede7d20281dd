INSERT INTO gpc_group VALUES
  ('86000000', 'Play', 'Toys and games.'),
  ('86010000', 'Toys and Games', 'Toys and games for any age.'),
  ('86010100', 'Games and Puzzles', 'Board games, cards and puzzles.'),
  ('86010200', 'Dolls and Soft Toys', 'Figures to play with.'),
  ('86010300', 'Doll Accessories', 'What belongs to dolls and figures.'),
  ('86010400', 'Construction Toys', 'Toys that build and teach.'),
  ('86011100', 'Toy Vehicles and Tracks', 'Vehicles to play with and what they run on.'),
  ('86011200', 'Pretend Play', 'Toys that play at work and home.');

INSERT INTO gpc_brick VALUES
  ('10005133', '86010100', 'Board Games', 'Board games without power.'),
  ('10005138', '86010100', 'Card Games', 'Games played with cards.'),
  ('10005140', '86010100', 'Puzzles', 'Puzzles without power.'),
  ('10005142', '86010200', 'Dolls and Plush', 'Dolls and soft toys without power.'),
  ('10006395', '86010200', 'Action Figures', 'Jointed figures without power.'),
  ('10005148', '86010300', 'Doll Clothes', 'Clothes and shoes of dolls.'),
  ('10005149', '86010300', 'Doll Furniture', 'Furniture for dolls.'),
  ('10005163', '86010400', 'Science Kits', 'Sets for trying out science.'),
  ('10005166', '86010400', 'Building Blocks', 'Blocks, bricks and tiles that join.'),
  ('10005168', '86010400', 'Model Kits', 'Kits of parts that make a model.'),
  ('10005191', '86011100', 'Train and Race Sets', 'Trains and cars with tracks, with power.'),
  ('10005193', '86011100', 'Toy Cars', 'Toy vehicles without power.'),
  ('10005194', '86011100', 'Remote Control Vehicles', 'Toy vehicles with power, steered from afar.'),
  ('10005250', '86011200', 'Play Kitchens', 'Toy kitchens and what belongs in them.');
