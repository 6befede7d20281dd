INSERT INTO gpc_group VALUES
  ('75000000', 'Furnishings', 'Furniture and textiles for the home.'),
  ('75010000', 'Furniture', 'Furniture for home and office.'),
  ('75010400', 'Beds', 'Beds and mattresses.'),
  ('75020000', 'Home Textiles', 'Textiles for use in the home.'),
  ('75020100', 'Bedding and Soft Furnishings', 'Textiles and fillings for bed and bath.');

INSERT INTO gpc_brick VALUES
  ('10002210', '75010400', 'Mattresses', 'Mattresses for a bed at home.'),
  ('10002219', '75020100', 'Towels', 'Towels of cloth for bath and kitchen.'),
  ('10002222', '75020100', 'Duvets', 'Filled covers to sleep under.'),
  ('10002223', '75020100', 'Duvet Covers', 'Covers of duvets and quilts.'),
  ('10002224', '75020100', 'Blankets', 'Blankets and throws without power.'),
  ('10002225', '75020100', 'Bed Pillows', 'Pillows for sleeping on.'),
  ('10002226', '75020100', 'Pillowcases', 'Covers of pillows.'),
  ('10002227', '75020100', 'Bed Sheets', 'Sheets and sets of sheets for a bed.');
