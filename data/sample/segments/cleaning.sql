INSERT INTO gpc_group VALUES
  ('47000000', 'Cleaning', 'Goods that clean a home.'),
  ('47100000', 'Cleaning Preparations', 'Preparations and papers for cleaning.'),
  ('47101500', 'Air Care', 'Preparations that make air and cloth smell fresh.'),
  ('47101600', 'Household Cleaners', 'Cleaners for surfaces and rooms.'),
  ('47101700', 'Laundry Care', 'Preparations for washing textiles.'),
  ('47102100', 'Dish Washing', 'Preparations that clean dishes, by hand or in a machine.'),
  ('47200000', 'Cleaning Equipment', 'Tools for cleaning and for the laundry.'),
  ('47200200', 'Cleaning Tools', 'Tools that clean by hand.'),
  ('47200300', 'Laundry Tools', 'Tools for washing, drying and ironing.');

INSERT INTO gpc_brick VALUES
  ('10000402', '47101500', 'Air Fresheners', 'Sprays, gels and reeds that freshen a room, without power.'),
  ('10000405', '47101600', 'Surface Cleaners', 'Liquids, sprays and wipes for hard surfaces.'),
  ('10000426', '47101600', 'Toilet Cleaners', 'Gels, blocks and tablets for the toilet bowl.'),
  ('10000441', '47101600', 'Household Disinfectants', 'Preparations that kill germs on surfaces.'),
  ('10000447', '47101600', 'Paper Towels', 'Absorbent paper on a roll or folded.'),
  ('10000636', '47101600', 'Dish Washing by Hand', 'Preparations that clean dishes in a sink.'),
  ('10000424', '47101700', 'Laundry Detergents', 'Detergents for washing textiles.'),
  ('10000744', '47101700', 'Fabric Softeners', 'Preparations that soften washed textiles.'),
  ('10008119', '47102100', 'Dishwasher Detergents', 'Tablets, gels and powders for a dishwasher.'),
  ('10008145', '47102100', 'Washing-Up Liquids', 'Detergents for washing dishes by hand.'),
  ('10008125', '47200200', 'Cleaning Cloths', 'Cloths for wiping and dusting, used again.'),
  ('10008126', '47200200', 'Mops', 'Mops for floors and their heads.'),
  ('10008129', '47200200', 'Sponges and Scourers', 'Sponges for washing and scouring.'),
  ('10008133', '47200300', 'Ironing Boards', 'Boards to iron on, without power.'),
  ('10008134', '47200300', 'Laundry Baskets', 'Baskets and hampers for clothes to be washed.');
