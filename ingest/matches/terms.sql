-- in: match_offer out: match_term
-- The terms of an offer's brand, title and code with their places: words apart, what holds a digit in one piece, so that
-- `PS-LX350H` is pslx350h. Neighbours that others write in one word are that word too: `16 gb`, `note book`. A model code
-- followed by letters also has a stem, `~pslx350`, as the letters often name a colour or a country.
CREATE TABLE match_term AS
WITH folded AS (
  SELECT offer, regexp_replace(regexp_replace(lower(strip_accents(concat_ws(' ', brand, title, code))),
    '(\d)\s?(?:"|''''|”|″)', '\1in ', 'g'), '[''`’]', '', 'g') AS text
  FROM match_offer
),
split AS (
  SELECT offer, unnest(words[:200]) AS word, unnest(range(1, least(len(words), 200) + 1)) AS place
  FROM (SELECT offer, regexp_extract_all(text, '[\p{L}\p{M}\p{N}]+(?:[.-][\p{L}\p{M}\p{N}]+)*') AS words FROM folded)
),
piece AS (
  SELECT offer, place, unnest(CASE
    WHEN NOT regexp_matches(word, '[.-]') OR regexp_full_match(word, '\d+\.\d+\p{L}*') THEN [word]
    WHEN regexp_matches(word, '\d') AND NOT regexp_full_match(word, '\p{L}{3,}-\p{L}{3,}.*')
      THEN [regexp_replace(word, '[.-]', '', 'g')]
    ELSE regexp_split_to_array(word, '[.-]') END) AS term
  FROM split
)
SELECT offer, (10 * place + row_number() OVER (PARTITION BY offer, place ORDER BY term))::INTEGER AS place,
  CASE WHEN regexp_full_match(term, '[a-z]{3,}[^su]s') THEN left(term, -1)
    WHEN regexp_full_match(term, '\d+inch(es)?') THEN regexp_extract(term, '\d+') || 'in'
    ELSE term END AS term
FROM piece WHERE term NOT IN ('', 'and', 'the', 'of', 'for', 'with', 'in', 'a', 'to', 'by', 'or');

INSERT INTO match_term
WITH word AS (
  SELECT DISTINCT term FROM match_term
),
pair AS (
  SELECT offer, term || lead(term) OVER (PARTITION BY offer ORDER BY place) AS term FROM match_term
)
SELECT DISTINCT offer, 1000000, term FROM pair SEMI JOIN word USING (term) WHERE length(term) >= 4;

INSERT INTO match_term
WITH stem AS (
  SELECT term, regexp_extract(term, '^([a-z]*\d[a-z0-9]*\d)[a-z]*$', 1) AS stem
  FROM (SELECT DISTINCT term FROM match_term)
)
SELECT offer, 1000000, '~' || stem
FROM match_term JOIN stem USING (term) WHERE length(stem) >= 4 AND regexp_matches(stem, '[a-z]');
