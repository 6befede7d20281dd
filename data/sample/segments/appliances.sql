INSERT INTO gpc_group VALUES
  ('72000000', 'Appliances', 'Powered appliances for the home.'),
  ('72020000', 'Small Appliances', 'Appliances moved by hand.'),
  ('72020100', 'Small Cooking Appliances', 'Small appliances that heat food.'),
  ('72020200', 'Food Preparation Appliances', 'Appliances that prepare food and drink.'),
  ('72020400', 'Floor Care Appliances', 'Appliances that clean floors.');

INSERT INTO gpc_brick VALUES
  ('10001967', '72020100', 'Toasters', 'Appliances that toast bread.'),
  ('10001975', '72020100', 'Slow Cookers', 'Pots with power that cook for hours.'),
  ('10001977', '72020100', 'Rice Cookers', 'Appliances that cook rice or steam food.'),
  ('10001981', '72020100', 'Fryers', 'Appliances that fry in oil or in hot air.'),
  ('10002006', '72020200', 'Coffee Grinders', 'Appliances that grind coffee beans.'),
  ('10002011', '72020200', 'Coffee and Tea Makers', 'Appliances that make hot drinks.'),
  ('10002012', '72020200', 'Electric Kettles', 'Kettles with power.'),
  ('10006739', '72020200', 'Blenders', 'Appliances that blend food.'),
  ('10002028', '72020400', 'Vacuum Cleaners', 'Vacuum cleaners guided by hand.'),
  ('10007949', '72020400', 'Robot Vacuums', 'Vacuum cleaners that drive themselves.'),
  ('10007953', '72020400', 'Vacuum Filters', 'Filters of a vacuum cleaner.');
