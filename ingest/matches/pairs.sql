-- in: match_candidate out: match_pair, match_comparison
-- Each pair of offers to be compared once, and the table of their comparisons.
CREATE TABLE match_pair AS SELECT DISTINCT l, r, l_shop, r_shop FROM match_candidate;

DROP TABLE match_candidate;

CREATE TABLE match_comparison (l INTEGER, r INTEGER, l_shop INTEGER, r_shop INTEGER, is_certain BOOLEAN, cosine INTEGER,
  words INTEGER, model INTEGER, measure INTEGER, number INTEGER, colour INTEGER, kind INTEGER, part_number INTEGER,
  brand INTEGER, lead INTEGER, price INTEGER);

SELECT count(*)::INTEGER AS pairs FROM match_pair;
