-- in: listing, listing_key, attribute, entity, current_price, title_reading, listing_size out: match_offer, match_term
-- The offers that are compared: of an entity in one shop, a retailer in a country, the listing with the first uid. Numbers
-- of offers and shops follow uids and names, so that no order of refreshes changes what is found.
CREATE TABLE match_offer AS
WITH shop AS (
  SELECT platform, country, row_number() OVER (ORDER BY platform, country)::INTEGER AS shop
  FROM (SELECT DISTINCT platform, country FROM listing)
),
first AS (
  SELECT entity_uid, shop, min(product_uid) AS product_uid, min_by(listing_id, product_uid) AS listing_id
  FROM listing
  JOIN shop USING (platform, country)
  JOIN (SELECT listing_id, product_uid FROM listing_key) USING (listing_id)
  JOIN entity USING (listing_id)
  GROUP BY ALL
)
SELECT row_number() OVER (ORDER BY first.product_uid)::INTEGER AS offer, listing_id, first.product_uid, entity_uid, shop, listing.country,
  listing.condition, current_price.price, product_name.value AS title, listing.brand,
  coalesce(mpn.value, model.value) AS code, coalesce(kind, '1') AS kind,
  listing_size.size_unit, size_milli, size_milli::BIGINT * listing_size.pack_count AS total_milli
FROM first
JOIN listing USING (listing_id)
JOIN attribute USING (listing_id)
LEFT JOIN current_price USING (listing_id)
LEFT JOIN title_reading USING (listing_id)
LEFT JOIN listing_size USING (listing_id)
WHERE product_name IS NOT NULL;

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
