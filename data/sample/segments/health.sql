INSERT INTO gpc_group VALUES
  ('51000000', 'Health', 'Goods for health.'),
  ('51100000', 'Home Treatment', 'Goods for treating people at home.'),
  ('51101700', 'First Aid', 'Dressings and packs for first aid.'),
  ('51102900', 'Colds and Allergies', 'Remedies for the airways.'),
  ('51120000', 'Health Support', 'Goods that support health.'),
  ('51121600', 'Vitamins and Supplements', 'Vitamins, minerals and supplements.'),
  ('51130000', 'Home Testing', 'Devices that measure and test at home.'),
  ('51131500', 'Health Monitors', 'Devices that measure again and again.'),
  ('51131600', 'Health Tests', 'Devices that measure or test once.');

INSERT INTO gpc_brick VALUES
  ('10000448', '51101700', 'Plasters and Bandages', 'Dressings that cover small wounds.'),
  ('10000449', '51101700', 'First Aid Supplies', 'Tape, scissors and what else goes with dressings.'),
  ('10000451', '51101700', 'Hot and Cold Packs', 'Packs that warm or cool a part of the body.'),
  ('10000876', '51102900', 'Cold and Cough Medicines', 'Syrups, tablets and lozenges for colds and coughs.'),
  ('10000881', '51102900', 'Allergy Medicines', 'Remedies that prevent or ease an allergy.'),
  ('10000467', '51121600', 'Vitamins and Minerals', 'Vitamins and minerals in any form.'),
  ('10000468', '51121600', 'Food Supplements', 'Supplements other than vitamins and minerals.'),
  ('10000455', '51131500', 'Blood Pressure Monitors and Scales', 'Devices for pressure, sugar, heart rate and weight.'),
  ('10000452', '51131600', 'Clinical Thermometers', 'Devices that take the temperature of the body.');
