INSERT INTO department VALUES ('Toys & Games', 'Toys', 2.2);

INSERT INTO node VALUES
  (NULL, 'Toys & Games', 'Toys|Games & Toys', NULL, NULL, 1.00),
  ('Toys & Games', 'Building Toys', NULL, NULL, NULL, NULL),
  ('Building Toys', 'Building Sets', 'Building Blocks', '10005166', NULL, NULL),
  ('Building Toys', 'Magnetic Tiles', NULL, '10005166', NULL, NULL),
  ('Toys & Games', 'Games & Puzzles', NULL, NULL, NULL, NULL),
  ('Games & Puzzles', 'Board Games', 'Tabletop Games', '10005133', NULL, NULL),
  ('Games & Puzzles', 'Card Games', NULL, '10005138', NULL, NULL),
  ('Games & Puzzles', 'Jigsaw Puzzles', 'Puzzles', '10005140', NULL, NULL),
  ('Toys & Games', 'Dolls & Plush', NULL, '10005142', NULL, NULL),
  ('Dolls & Plush', 'Dolls', 'Fashion Dolls', '10005142', NULL, NULL),
  ('Dolls & Plush', 'Stuffed Animals', 'Plush Toys', '10005142', NULL, NULL),
  ('Dolls & Plush', 'Doll Accessories', NULL, '10005148|10005149', 'accessory', NULL),
  ('Toys & Games', 'Toy Vehicles', NULL, NULL, NULL, NULL),
  ('Toy Vehicles', 'Remote Control Vehicles', 'RC Cars', '10005194', NULL, NULL),
  ('Toy Vehicles', 'Toy Cars', 'Die Cast Cars', '10005193', NULL, NULL);

INSERT INTO shelf VALUES
  ('Building Sets', 30, 39, 0.75, 'toy',
   'Castle Building Set|Space Station Building Set|Race Car Building Set|Treehouse Building Set',
   '212 Piece|540 Piece|1250 Piece'),
  ('Magnetic Tiles', 14, 36, 0.40, 'toy', 'Magnetic Tiles|Magnetic Blocks', '32 Piece|64 Piece|100 Piece'),
  ('Board Games', 26, 27, 0.50, 'toy',
   'Strategy Board Game|Family Board Game|Cooperative Board Game|Trivia Board Game', NULL),
  ('Card Games', 16, 12, 0.40, 'toy', 'Party Card Game|Family Card Game|Memory Card Game', NULL),
  ('Jigsaw Puzzles', 18, 16, 0.35, 'toy', 'Landscape Jigsaw Puzzle|Wildlife Jigsaw Puzzle|City Jigsaw Puzzle',
   '300 Piece|500 Piece|1000 Piece|2000 Piece'),
  ('Dolls', 20, 22, 0.50, 'toy', 'Fashion Doll|Baby Doll|Mermaid Doll|Rag Doll', '8"|11"|14"'),
  ('Stuffed Animals', 22, 18, 0.50, 'toy', 'Teddy Bear Plush|Bunny Plush|Dinosaur Plush|Fox Plush', '8"|12"|24"'),
  ('Doll Accessories', 12, 13, 0.45, 'part', 'Doll Clothes Set|Doll Stroller|Doll Furniture Set', NULL),
  ('Remote Control Vehicles', 16, 44, 0.60, 'gadget',
   'Remote Control Monster Truck|Remote Control Car|Remote Control Boat', NULL),
  ('Toy Cars', 18, 8, 0.50, 'toy', 'Die Cast Car|Toy Garbage Truck|Toy Fire Engine', '5 Piece|10 Piece|20 Piece');

INSERT INTO topic VALUES
  ('Toys & Games', 'adult building sets', '10005166', 'rising'),
  ('Toys & Games', 'blind box unboxing', '10005142', 'rising'),
  ('Toys & Games', 'game night', '10005133', 'flat'),
  ('Toys & Games', 'puzzle swap', '10005140', 'new'),
  ('Toys & Games', 'slow play', NULL, 'falling');
