INSERT INTO gpc_group VALUES
  ('71000000', 'Sport', 'Equipment for sport.'),
  ('71010000', 'Sports and Training', 'Equipment for sport and training.'),
  ('71010200', 'Balls', 'Balls and what flies like them.'),
  ('71010800', 'Cycling', 'Cycles and their equipment.'),
  ('71010900', 'Fitness', 'Equipment for training.'),
  ('71011900', 'Sports Accessories', 'What sports of many kinds need.');

INSERT INTO gpc_brick VALUES
  ('10001768', '71010200', 'Balls for Sport', 'Balls for sport, of any size.'),
  ('10001810', '71010800', 'Bicycles', 'Cycles without power.'),
  ('10005815', '71010800', 'Electric Bicycles', 'Cycles with power.'),
  ('10008259', '71010800', 'Bicycle Tyres and Wheels', 'Tyres, tubes and wheels of a bicycle.'),
  ('10008260', '71010800', 'Bicycle Lights', 'Lamps fixed to a bicycle.'),
  ('10008264', '71010800', 'Bicycle Chains', 'Chains of a bicycle.'),
  ('10001814', '71010900', 'Exercise Bicycles and Treadmills', 'Machines with power for training.'),
  ('10001815', '71010900', 'Training Machines, Manual', 'Machines without power for training.'),
  ('10001816', '71010900', 'Free Weights', 'Dumbbells and other free weights.'),
  ('10001819', '71010900', 'Training Aids', 'Ropes, balls and bands for training.'),
  ('10001900', '71011900', 'Exercise Mats', 'Mats for exercise on the floor.');
