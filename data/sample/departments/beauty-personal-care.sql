INSERT INTO department VALUES ('Beauty & Personal Care', 'Beauty', 3.2);

INSERT INTO node VALUES
  (NULL, 'Beauty & Personal Care', 'Beauty|Personal Care', NULL, NULL, 0.50),
  ('Beauty & Personal Care', 'Skin Care', 'Skincare', NULL, NULL, NULL),
  ('Skin Care', 'Moisturizers', 'Face Cream', '10000356', NULL, NULL),
  ('Skin Care', 'Sunscreen', 'Sun Care', '10000373', NULL, NULL),
  ('Skin Care', 'Facial Cleansers', 'Face Wash', '10000332', NULL, NULL),
  ('Beauty & Personal Care', 'Hair Care', 'Haircare', NULL, NULL, NULL),
  ('Hair Care', 'Shampoo', NULL, '10000368', NULL, NULL),
  ('Hair Care', 'Conditioner', 'Hair Conditioner', '10000346', NULL, NULL),
  ('Hair Care', 'Hair Styling', 'Styling Products', '10000381', NULL, NULL),
  ('Beauty & Personal Care', 'Makeup', 'Cosmetics', NULL, NULL, NULL),
  ('Makeup', 'Lipstick', 'Lip Color', '10000534', NULL, NULL),
  ('Makeup', 'Mascara', NULL, '10000533', NULL, NULL),
  ('Beauty & Personal Care', 'Oral Care', 'Dental Care', NULL, NULL, NULL),
  ('Oral Care', 'Toothpaste', NULL, '10000383', NULL, NULL),
  ('Oral Care', 'Toothbrushes', NULL, '10008372|10008373', NULL, NULL),
  ('Oral Care', 'Replacement Brush Heads', 'Toothbrush Heads', NULL, 'accessory', NULL);

INSERT INTO shelf VALUES
  ('Moisturizers', 26, 22, 0.60, 'care',
   'Daily Face Moisturizer|Hydrating Night Cream|Hyaluronic Acid Moisturizer|Body Lotion',
   '1.7 oz|3.4 oz|8 oz'),
  ('Sunscreen', 16, 15, 0.40, 'care', 'Mineral Sunscreen SPF 30|Sport Sunscreen SPF 50|Face Sunscreen SPF 45',
   '1.7 fl oz|3 fl oz|8 fl oz'),
  ('Facial Cleansers', 18, 13, 0.50, 'care', 'Gentle Facial Cleanser|Foaming Face Wash|Micellar Water',
   '5 fl oz|8 fl oz|16 fl oz'),
  ('Shampoo', 24, 9, 0.50, 'care',
   'Moisturizing Shampoo|Anti-Dandruff Shampoo|Color Protect Shampoo|Volumizing Shampoo',
   '12 fl oz|20 fl oz|33.8 fl oz'),
  ('Conditioner', 18, 9, 0.50, 'care', 'Moisturizing Conditioner|Repair Conditioner|Leave-In Conditioner',
   '12 fl oz|20 fl oz|33.8 fl oz'),
  ('Hair Styling', 14, 11, 0.50, 'care', 'Styling Gel|Hair Spray|Texturizing Paste|Curl Cream', '2 oz|5 oz|10 oz'),
  ('Lipstick', 20, 11, 0.55, 'care', 'Matte Lipstick|Satin Lipstick|Liquid Lipstick|Tinted Lip Balm', NULL),
  ('Mascara', 14, 12, 0.50, 'care', 'Volumizing Mascara|Waterproof Mascara|Lengthening Mascara', NULL),
  ('Toothpaste', 18, 5.5, 0.35, 'care', 'Whitening Toothpaste|Sensitive Toothpaste|Fluoride Toothpaste',
   '3.4 oz|4.8 oz|6.4 oz'),
  ('Toothbrushes', 16, 14, 1.00, 'care', 'Soft Manual Toothbrush|Electric Toothbrush|Kids Toothbrush',
   '1 ct|2 ct|4 ct'),
  ('Replacement Brush Heads', 12, 22, 0.40, 'part', 'Replacement Toothbrush Heads|Sensitive Replacement Brush Heads',
   '2 ct|4 ct|8 ct');

INSERT INTO topic VALUES
  ('Beauty & Personal Care', 'skin barrier', '10000356', 'rising'),
  ('Beauty & Personal Care', 'spf every day', '10000373', 'flat'),
  ('Beauty & Personal Care', 'scalp care', '10000368', 'rising'),
  ('Beauty & Personal Care', 'tubing mascara', '10000533', 'new'),
  ('Beauty & Personal Care', 'empties', NULL, 'flat'),
  ('Beauty & Personal Care', 'overlined lips', '10000534', 'falling');
