INSERT INTO department VALUES ('Pet Supplies', 'Pets', 3.5);

INSERT INTO node VALUES
  (NULL, 'Pet Supplies', 'Pets|Pet Care', NULL, NULL, 0.50),
  ('Pet Supplies', 'Dog Food', NULL, '10000522', NULL, NULL),
  ('Dog Food', 'Dry Dog Food', 'Dog Kibble', '10000522', NULL, NULL),
  ('Dog Food', 'Wet Dog Food', 'Canned Dog Food', '10000522', NULL, NULL),
  ('Pet Supplies', 'Dog Treats', 'Dog Snacks', '10008038', NULL, NULL),
  ('Pet Supplies', 'Cat Food', NULL, '10000522', NULL, NULL),
  ('Cat Food', 'Dry Cat Food', NULL, '10000522', NULL, NULL),
  ('Cat Food', 'Wet Cat Food', 'Canned Cat Food', '10000522', NULL, NULL),
  ('Pet Supplies', 'Cat Litter', 'Kitty Litter', '10000510', NULL, NULL),
  ('Pet Supplies', 'Pet Toys', NULL, '10000641', NULL, NULL),
  ('Pet Supplies', 'Pet Beds', 'Dog Beds', '10008287', NULL, NULL),
  ('Pet Supplies', 'Pet Accessories', NULL, NULL, 'accessory', NULL),
  ('Pet Accessories', 'Leashes & Collars', 'Dog Leashes', '10008290', 'accessory', NULL);

INSERT INTO shelf VALUES
  ('Dry Dog Food', 40, 38, 0.35, 'pet',
   'Chicken and Rice Dry Dog Food|Salmon Dry Dog Food|Grain Free Dry Dog Food|Puppy Dry Dog Food',
   '5 lb|15 lb|24 lb|30 lb'),
  ('Wet Dog Food', 26, 2.6, 0.40, 'pet', 'Beef Stew Wet Dog Food|Chicken Pate Wet Dog Food|Turkey Wet Dog Food',
   '3.5 oz|5.5 oz|13 oz'),
  ('Dog Treats', 26, 10, 0.45, 'pet', 'Dental Dog Treats|Peanut Butter Dog Treats|Beef Jerky Dog Treats',
   '6 oz|12 oz|36 oz'),
  ('Dry Cat Food', 28, 24, 0.35, 'pet', 'Indoor Dry Cat Food|Salmon Dry Cat Food|Kitten Dry Cat Food',
   '3 lb|7 lb|16 lb'),
  ('Wet Cat Food', 26, 1.5, 0.35, 'pet', 'Tuna Wet Cat Food|Chicken Wet Cat Food|Ocean Fish Pate Wet Cat Food',
   '3 oz|5.5 oz|12.5 oz'),
  ('Cat Litter', 18, 17, 0.35, 'pet', 'Clumping Cat Litter|Unscented Cat Litter|Crystal Cat Litter',
   '8 lb|20 lb|40 lb'),
  ('Pet Toys', 26, 9, 0.50, 'toy', 'Squeaky Dog Toy|Rope Dog Toy|Catnip Toy|Puzzle Feeder', 'Small|Medium|Large'),
  ('Pet Beds', 18, 42, 0.50, 'soft', 'Orthopedic Dog Bed|Calming Pet Bed|Elevated Dog Bed',
   'Small|Medium|Large|X-Large'),
  ('Leashes & Collars', 22, 15, 0.45, 'part', 'Reflective Dog Leash|Padded Dog Harness|Nylon Dog Collar',
   'Small|Medium|Large');

INSERT INTO topic VALUES
  ('Pet Supplies', 'fresh dog food', '10000522', 'rising'),
  ('Pet Supplies', 'litter box hacks', '10000510', 'flat'),
  ('Pet Supplies', 'enrichment toys', '10000641', 'new'),
  ('Pet Supplies', 'puppy haul', '10000522|10000641', 'flat'),
  ('Pet Supplies', 'grain free', '10000522', 'falling');
