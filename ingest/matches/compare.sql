-- in: match_pair, match_token, match_word, match_profile out: match_comparison
-- The comparisons of a part of the pairs: each is a level, a small whole number; what it is worth is learnt.
INSERT INTO match_comparison
WITH part AS (
  SELECT l, r, l_shop, r_shop FROM match_pair WHERE r BETWEEN $first::INTEGER AND $last::INTEGER
),
shared AS (
  SELECT l, r, sum(idf)::INTEGER AS weight, sum(idf::BIGINT * idf)::BIGINT AS dot, bool_or(is_stem) AS has_stem,
    count_if(is_model) AS models, count_if(is_number) AS numbers, bool_or(is_colour) AS has_colour, bit_or(unit) AS units,
    bool_or(token IN (l_lead, r_lead)) AS has_lead
  FROM (
    SELECT l, r, p.lead AS l_lead, q.lead AS r_lead, a.token
    FROM part
    JOIN match_profile AS p ON p.offer = l
    JOIN match_profile AS q ON q.offer = r
    JOIN match_token AS a ON a.offer = l
    JOIN match_token AS b ON b.offer = r AND b.token = a.token
    WHERE b.offer BETWEEN $first::INTEGER AND $last::INTEGER
  ) JOIN match_word USING (token) GROUP BY l, r
)
SELECT l, r, l_shop, r_shop, p.entity = q.entity, (1000 * dot / (p.norm * q.norm))::INTEGER,
  -- Words by rarity: the cosine, and how much of the shorter name the longer one has, in one grid.
  least(9, floor(10 * dot / (p.norm * q.norm)))::INTEGER * 3
    + CASE WHEN 10 * shared.weight >= 9 * least(p.weight, q.weight) THEN 2
           WHEN 10 * shared.weight >= 6 * least(p.weight, q.weight) THEN 1 ELSE 0 END,
  CASE WHEN p.models = 0 AND q.models = 0 THEN 0 WHEN p.models = 0 OR q.models = 0 THEN 1
       WHEN shared.models = least(p.models, q.models) THEN 5 WHEN shared.models > 0 THEN 4 WHEN has_stem THEN 3 ELSE 2 END,
  -- The measures of titles and the sizes, which feeds may have in columns, in one grid, since titles often say the size. The
  -- total of one shop may be the piece of another: `kind` compares how many there are.
  CASE WHEN p.units & q.units = 0 THEN 0 WHEN p.units & q.units & ~shared.units <> 0 THEN 1 ELSE 2 END
    + CASE WHEN p.size_unit IS DISTINCT FROM q.size_unit OR p.size_unit IS NULL THEN 0
           WHEN abs(ln(p.total_milli / q.total_milli)) < 0.02 THEN 6
           WHEN least(abs(ln(p.size_milli / q.size_milli)), abs(ln(p.size_milli / q.total_milli)),
             abs(ln(p.total_milli / q.size_milli))) < 0.02 THEN 0
           ELSE 3 END,
  CASE WHEN p.numbers = 0 AND q.numbers = 0 THEN 0 WHEN p.numbers = 0 OR q.numbers = 0 THEN 1
       WHEN shared.numbers = greatest(p.numbers, q.numbers) THEN 4 WHEN shared.numbers = least(p.numbers, q.numbers) THEN 3
       ELSE 2 END,
  CASE WHEN p.colours = 0 OR q.colours = 0 THEN 0 WHEN has_colour THEN 2 ELSE 1 END,
  CASE WHEN p.kind = q.kind THEN CASE p.kind WHEN '1' THEN 0 ELSE 3 END
       WHEN split_part(p.kind, ' ', 1) <> split_part(q.kind, ' ', 1) THEN 1 ELSE 2 END,
  CASE WHEN p.code IS NULL OR q.code IS NULL THEN 0 WHEN p.code = q.code THEN 3
       WHEN starts_with(p.code, q.code) OR starts_with(q.code, p.code) THEN 2 ELSE 1 END,
  CASE WHEN p.brand IS NULL OR q.brand IS NULL THEN 0 WHEN p.brand = q.brand THEN 4
       WHEN starts_with(p.brand, q.brand) OR starts_with(q.brand, p.brand) THEN 3
       WHEN contains(q.said, p.brand) OR contains(p.said, q.brand) THEN 2 ELSE 1 END,
  CASE WHEN p.lead = q.lead THEN 2 WHEN has_lead THEN 1 ELSE 0 END,
  -- Prices in two countries say nothing about each other.
  CASE WHEN p.country <> q.country OR p.price IS NULL OR q.price IS NULL THEN 0
       WHEN abs(ln(p.price / q.price)) < 0.05 THEN 5 WHEN abs(ln(p.price / q.price)) < 0.18 THEN 4
       WHEN abs(ln(p.price / q.price)) < 0.4 THEN 3 WHEN abs(ln(p.price / q.price)) < 0.8 THEN 2 ELSE 1 END
FROM part JOIN shared USING (l, r) JOIN match_profile AS p ON p.offer = l JOIN match_profile AS q ON q.offer = r;
