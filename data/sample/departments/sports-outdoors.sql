INSERT INTO department VALUES ('Sports & Outdoors', 'Sports', 2.8);

INSERT INTO node VALUES
  (NULL, 'Sports & Outdoors', 'Sports|Sporting Goods', NULL, NULL, 1.00),
  ('Sports & Outdoors', 'Fitness', 'Exercise & Fitness', NULL, NULL, NULL),
  ('Fitness', 'Dumbbells', 'Hand Weights', '10001816', NULL, NULL),
  ('Fitness', 'Yoga Mats', 'Exercise Mats', '10001900', NULL, NULL),
  ('Fitness', 'Exercise Bikes', 'Stationary Bikes', '10001814', NULL, 60.00),
  ('Sports & Outdoors', 'Camping', 'Camping & Hiking', NULL, NULL, NULL),
  ('Camping', 'Tents', 'Camping Tents', '10002069', NULL, 15.00),
  ('Camping', 'Sleeping Bags', NULL, '10002080', NULL, NULL),
  ('Camping', 'Water Bottles', 'Hydration', '10008282', NULL, NULL),
  ('Sports & Outdoors', 'Cycling', NULL, NULL, NULL, NULL),
  ('Cycling', 'Bicycles', 'Bikes', '10001810', NULL, 60.00),
  ('Cycling', 'Bike Accessories', 'Bicycle Accessories', NULL, 'accessory', NULL),
  ('Bike Accessories', 'Bike Lights', NULL, '10008260', 'accessory', NULL),
  ('Bike Accessories', 'Bike Parts', 'Bicycle Parts', NULL, 'accessory', NULL),
  ('Sports & Outdoors', 'Team Sports', NULL, '10001768', NULL, NULL),
  ('Team Sports', 'Basketballs', NULL, '10001768', NULL, NULL),
  ('Team Sports', 'Soccer Balls', 'Footballs', NULL, NULL, NULL);

INSERT INTO shelf VALUES
  ('Dumbbells', 20, 39, 0.60, 'sport', 'Hex Dumbbell|Neoprene Dumbbell Set|Adjustable Dumbbell',
   '5 lb|10 lb|25 lb|50 lb'),
  ('Yoga Mats', 20, 27, 0.45, 'sport', 'Non-Slip Yoga Mat|Extra Thick Exercise Mat|Travel Yoga Mat', '4 mm|6 mm|10 mm'),
  ('Exercise Bikes', 10, 299, 0.50, 'gadget', 'Indoor Exercise Bike|Recumbent Exercise Bike|Folding Exercise Bike',
   NULL),
  ('Tents', 16, 119, 0.60, 'sport', 'Dome Tent|Backpacking Tent|Instant Cabin Tent', '2 Person|4 Person|6 Person'),
  ('Sleeping Bags', 14, 59, 0.55, 'sport', 'Mummy Sleeping Bag|Rectangular Sleeping Bag|Kids Sleeping Bag',
   '20F|30F|40F'),
  ('Water Bottles', 24, 22, 0.45, 'sport', 'Insulated Water Bottle|Stainless Steel Water Bottle|Sports Water Bottle',
   '18 oz|24 oz|32 oz|40 oz'),
  ('Bicycles', 14, 379, 0.60, 'gadget', 'Hybrid Bike|Mountain Bike|Kids Bike|Commuter Bike', '20"|26"|27.5"|29"'),
  ('Bike Lights', 16, 26, 0.50, 'part', 'Rechargeable Bike Light Set|Bike Tail Light',
   '200 Lumen|500 Lumen|1000 Lumen'),
  ('Bike Parts', 16, 24, 0.60, 'part', 'Replacement Inner Tube|Bike Chain|Brake Pads|Bike Saddle', NULL),
  ('Basketballs', 12, 27, 0.45, 'sport', 'Indoor Outdoor Basketball|Composite Basketball|Rubber Basketball',
   'Size 5|Size 6|Size 7'),
  ('Soccer Balls', 12, 22, 0.45, 'sport', 'Training Soccer Ball|Match Soccer Ball', 'Size 3|Size 4|Size 5');

INSERT INTO topic VALUES
  ('Sports & Outdoors', 'zone two rides', '10001810', 'rising'),
  ('Sports & Outdoors', 'home gym', '10001816', 'flat'),
  ('Sports & Outdoors', 'bottle of the week', NULL, 'falling'),
  ('Sports & Outdoors', 'weighted walks', '10001816', 'new'),
  ('Sports & Outdoors', 'pickup games', '10001768', 'flat');
