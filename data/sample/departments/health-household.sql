INSERT INTO department VALUES ('Health & Household', 'Household Essentials', 3.0);

INSERT INTO node VALUES
  (NULL, 'Health & Household', 'Household|Household Essentials', NULL, NULL, 0.50),
  ('Health & Household', 'Vitamins & Supplements', 'Supplements', NULL, NULL, NULL),
  ('Vitamins & Supplements', 'Multivitamins', 'Vitamins', '10000467', NULL, NULL),
  ('Vitamins & Supplements', 'Fish Oil', 'Omega 3', '10000468', NULL, NULL),
  ('Vitamins & Supplements', 'Protein Powder', 'Whey Protein', '10000468', NULL, NULL),
  ('Health & Household', 'Cleaning', 'Household Cleaning', NULL, NULL, NULL),
  ('Cleaning', 'Laundry Detergent', NULL, '10000424', NULL, NULL),
  ('Cleaning', 'Dish Soap', 'Dishwashing Liquid', '10008145', NULL, NULL),
  ('Cleaning', 'Surface Cleaners', 'All Purpose Cleaners', '10000405', NULL, NULL),
  ('Health & Household', 'Paper Goods', 'Paper Products', NULL, NULL, NULL),
  ('Paper Goods', 'Paper Towels', NULL, '10000447', NULL, NULL),
  ('Paper Goods', 'Toilet Paper', 'Bath Tissue', '10000375', NULL, NULL),
  ('Health & Household', 'First Aid', NULL, NULL, NULL, NULL),
  ('First Aid', 'Bandages', 'Adhesive Bandages', '10000448', NULL, NULL),
  ('First Aid', 'Thermometers', NULL, '10000452', NULL, NULL);

INSERT INTO shelf VALUES
  ('Multivitamins', 20, 17, 0.45, 'household', 'Daily Multivitamin Tablets|Multivitamin Gummies|Prenatal Multivitamin',
   '60 ct|120 ct|200 ct'),
  ('Fish Oil', 14, 21, 0.45, 'household', 'Fish Oil Softgels|Omega-3 Softgels', '60 ct|120 ct|240 ct'),
  ('Protein Powder', 20, 39, 0.40, 'household',
   'Chocolate Whey Protein Powder|Vanilla Whey Protein Powder|Vegan Protein Powder',
   '1 lb|2 lb|5 lb'),
  ('Laundry Detergent', 24, 14, 0.35, 'household',
   'Liquid Laundry Detergent|Free and Clear Laundry Detergent|Laundry Pods',
   '46 fl oz|92 fl oz|154 fl oz'),
  ('Dish Soap', 16, 5, 0.40, 'household', 'Dish Soap|Antibacterial Dish Soap|Foaming Dish Soap',
   '16 fl oz|28 fl oz|56 fl oz'),
  ('Surface Cleaners', 18, 5, 0.40, 'household', 'All Purpose Cleaner|Disinfecting Wipes|Glass Cleaner',
   '23 fl oz|32 fl oz|64 fl oz'),
  ('Paper Towels', 18, 17, 0.40, 'household', 'Paper Towels|Select-A-Size Paper Towels', '2 ct|6 ct|12 ct'),
  ('Toilet Paper', 18, 19, 0.40, 'household', 'Ultra Soft Toilet Paper|Ultra Strong Toilet Paper', '6 ct|12 ct|24 ct'),
  ('Bandages', 14, 6, 0.40, 'household', 'Fabric Bandages|Waterproof Bandages|Assorted Bandages', '20 ct|40 ct|100 ct'),
  ('Thermometers', 8, 24, 0.50, 'gadget', 'Digital Thermometer|Infrared Forehead Thermometer', NULL);

INSERT INTO topic VALUES
  ('Health & Household', 'sunday reset', '10000405|10000424', 'flat'),
  ('Health & Household', 'laundry stripping', '10000424', 'falling'),
  ('Health & Household', 'gummy vitamins', '10000467', 'flat'),
  ('Health & Household', 'creatine for everyone', '10000468', 'rising'),
  ('Health & Household', 'refill tablets', '10000405', 'new');
