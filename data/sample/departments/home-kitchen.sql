INSERT INTO department VALUES ('Home & Kitchen', 'Home', 2.6);

INSERT INTO node VALUES
  (NULL, 'Home & Kitchen', 'Home|Housewares', NULL, NULL, 2.00),
  ('Home & Kitchen', 'Small Appliances', 'Countertop Appliances', NULL, NULL, NULL),
  ('Small Appliances', 'Coffee Makers', 'Coffee Machines', '10002011', NULL, 12.00),
  ('Small Appliances', 'Blenders', NULL, '10006739', NULL, 12.00),
  ('Small Appliances', 'Toasters', NULL, '10001967', NULL, 10.00),
  ('Small Appliances', 'Small Appliance Parts', 'Appliance Replacement Parts', NULL, 'accessory', NULL),
  ('Home & Kitchen', 'Cookware & Dining', 'Cookware', NULL, NULL, NULL),
  ('Cookware & Dining', 'Frying Pans', 'Skillets', '10002144', NULL, NULL),
  ('Cookware & Dining', 'Cookware Sets', NULL, '10002144', NULL, 20.00),
  ('Cookware & Dining', 'Kitchen Knives', NULL, '10002168', NULL, NULL),
  ('Cookware & Dining', 'Food Storage', 'Food Storage Containers', '10002122', NULL, NULL),
  ('Home & Kitchen', 'Vacuums & Floor Care', 'Floor Care', NULL, NULL, NULL),
  ('Vacuums & Floor Care', 'Vacuum Cleaners', 'Vacuums', '10002028', NULL, 25.00),
  ('Vacuums & Floor Care', 'Robot Vacuums', NULL, '10007949', NULL, 60.00),
  ('Vacuums & Floor Care', 'Vacuum Filters & Parts', 'Vacuum Parts', NULL, 'accessory', NULL),
  ('Home & Kitchen', 'Bedding', NULL, NULL, NULL, NULL),
  ('Bedding', 'Bed Sheets', 'Sheet Sets', '10002227', NULL, NULL),
  ('Bedding', 'Pillows', 'Bed Pillows', '10002225', NULL, NULL);

INSERT INTO shelf VALUES
  ('Coffee Makers', 22, 99, 0.60, 'home',
   'Drip Coffee Maker|Single Serve Coffee Maker|Espresso Machine|Pour Over Coffee Maker',
   '5 Cup|10 Cup|12 Cup'),
  ('Blenders', 16, 79, 0.55, 'home', 'Countertop Blender|Personal Blender|Immersion Blender', '24 oz|48 oz|72 oz'),
  ('Toasters', 12, 42, 0.45, 'home', 'Toaster|Long Slot Toaster|Bagel Toaster', '2-Slice|4-Slice'),
  ('Small Appliance Parts', 16, 17, 0.50, 'part',
   'Replacement Glass Carafe|Replacement Blender Blade|Charcoal Water Filters', NULL),
  ('Frying Pans', 20, 32, 0.45, 'home', 'Nonstick Frying Pan|Cast Iron Skillet|Stainless Steel Skillet', '8"|10"|12"'),
  ('Cookware Sets', 14, 149, 0.45, 'home', 'Nonstick Cookware Set|Stainless Steel Cookware Set',
   '8 Piece|10 Piece|14 Piece'),
  ('Kitchen Knives', 16, 39, 0.60, 'home', 'Chef Knife|Santoku Knife|Bread Knife|Paring Knife', '3.5"|6"|8"'),
  ('Food Storage', 20, 24, 0.40, 'home', 'Glass Food Storage Containers|Airtight Pantry Containers',
   '5 Piece|10 Piece|24 Piece'),
  ('Vacuum Cleaners', 18, 179, 0.50, 'gadget', 'Upright Vacuum|Cordless Stick Vacuum|Canister Vacuum|Handheld Vacuum',
   NULL),
  ('Robot Vacuums', 12, 329, 0.45, 'gadget', 'Robot Vacuum|Robot Vacuum and Mop|Self-Emptying Robot Vacuum', NULL),
  ('Vacuum Filters & Parts', 18, 21, 0.40, 'part', 'Replacement HEPA Filter|Replacement Roller Brush|Vacuum Bags',
   NULL),
  ('Bed Sheets', 22, 45, 0.45, 'soft', 'Microfiber Sheet Set|Cotton Percale Sheet Set|Bamboo Sheet Set',
   'Twin|Full|Queen|King'),
  ('Pillows', 16, 34, 0.40, 'soft', 'Memory Foam Pillow|Down Alternative Pillow|Cooling Pillow', 'Standard|Queen|King');

INSERT INTO topic VALUES
  ('Home & Kitchen', 'air dry cookware', '10002144', 'falling'),
  ('Home & Kitchen', 'home barista', '10002011', 'rising'),
  ('Home & Kitchen', 'robot vacuum fails', '10007949', 'flat'),
  ('Home & Kitchen', 'smoothie prep', '10006739', 'flat'),
  ('Home & Kitchen', 'knife skills', '10002168', 'flat'),
  ('Home & Kitchen', 'carbon steel', '10002144', 'new');
