-- in: match_guess out:
-- The learnt pairs, those found to be of one product, and the partners that offers could have on either side: how many
-- times an offer has pairs at another shop.
SELECT count(*)::DOUBLE AS pairs, coalesce(sum(p), 0)::DOUBLE / 1e6 AS found,
  coalesce(sum(1000000 // l_rivals), 0)::DOUBLE / 1e6 AS l_offers,
  coalesce(sum(1000000 // r_rivals), 0)::DOUBLE / 1e6 AS r_offers
FROM match_guess WHERE is_learnt;
