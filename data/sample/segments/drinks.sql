-- Of the segment of food.sql.
INSERT INTO gpc_group VALUES
  ('50200000', 'Drinks', 'Drinks and what they are made of.'),
  ('50201700', 'Coffee and Tea', 'Coffee and tea joined.'),
  ('50202300', 'Soft Drinks', 'Drinks without alcohol, ready to drink.'),
  ('50202400', 'Drinks to Prepare', 'Powders and syrups that make a drink without alcohol.'),
  ('50202600', 'Coffee', 'Coffee in any form, and substitutes for it.'),
  ('50202700', 'Tea', 'Tea and infusions.');

INSERT INTO gpc_brick VALUES
  ('10000111', '50201700', 'Coffee, Beans or Ground', 'Roasted coffee, whole or ground.'),
  ('10000592', '50201700', 'Coffee and Tea Assortments', 'Coffee and tea sold in one pack.'),
  ('10000201', '50202300', 'Flavoured Soft Drinks', 'Colas, lemonades and other flavoured drinks.'),
  ('10000220', '50202300', 'Fruit Juice, Shelf Stable', 'Fruit juice ready to drink, that keeps.'),
  ('10000232', '50202300', 'Packaged Water', 'Water without flavour, still or sparkling.'),
  ('10000265', '50202300', 'Sports Drinks', 'Drinks that make up for sweat, ready to drink.'),
  ('10000266', '50202300', 'Energy Drinks', 'Drinks with stimulants, ready to drink.'),
  ('10000178', '50202400', 'Cocoa and Drinking Chocolate', 'Powders that make a drink of cocoa or malt.'),
  ('10000114', '50202600', 'Iced Coffee', 'Liquid coffee ready to drink.'),
  ('10000115', '50202600', 'Instant Coffee', 'Soluble coffee.'),
  ('10008178', '50202600', 'Whole Bean Coffee', 'Roasted coffee beans, not ground.'),
  ('10008179', '50202600', 'Ground Coffee', 'Roasted coffee, ground.'),
  ('10008180', '50202600', 'Coffee Capsules and Pods', 'Coffee portioned for a machine.'),
  ('10000116', '50202700', 'Tea, Bags or Loose', 'Tea leaves, in bags or loose.'),
  ('10000119', '50202700', 'Herbal Infusions', 'Herbs and fruit to infuse, in bags or loose.');
