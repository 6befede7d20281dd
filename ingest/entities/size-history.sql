-- name: size-texts
-- in: arrival, described, listing_key, attribute, previous_attribute, previous_size, withdrawal out: sized_before, size_text, size_reading
-- The texts that state the sizes of the listings that arrive with several of them: those of this refresh, the newest one of
-- the lake, and those of its sizes. Most listings have one, and their days are not read. TypeScript reads the texts of a
-- listing together, into the table created here, so that a change of its rules is no change of a size.
-- Listings that have rows keep them: the lake may have forgotten the text without a size that these are due to.
CREATE TABLE sized_before AS
SELECT DISTINCT listing_id FROM previous_size JOIN listing_key USING (listing_id) ANTI JOIN withdrawal USING (platform, country);

CREATE TABLE size_text AS
WITH arrived AS (
  SELECT DISTINCT country, platform, product_id, product_name, size_of(size_value, size_unit) AS size_text,
    coalesce(multipack, pack_count) AS pack
  FROM arrival WHERE product_name IS NOT NULL OR size_value IS NOT NULL
  UNION
  SELECT country, platform, product_id, product_name, size_of(size_value, size_unit), coalesce(multipack, pack_count)
  FROM described WHERE product_name IS NOT NULL OR size_value IS NOT NULL
),
-- What a row lacks is what the listing has now.
completed AS (
  SELECT listing_id, coalesce(arrived.product_name, attribute.product_name.value) AS title,
    coalesce(size_text, size_of(attribute.size_value.value, attribute.size_unit.value)) AS size_text,
    coalesce(pack, attribute.multipack.value, attribute.pack_count.value) AS pack
  FROM arrived JOIN attribute USING (country, platform, product_id)
),
touched AS (
  SELECT listing_id FROM completed
  UNION
  SELECT listing_id FROM previous_size JOIN listing_key USING (listing_id) SEMI JOIN withdrawal USING (platform, country)
),
stated AS (
  FROM completed
  UNION
  SELECT listing_id, product_name.value, size_of(size_value.value, size_unit.value),
    coalesce(multipack.value, pack_count.value)
  FROM previous_attribute SEMI JOIN touched USING (listing_id)
  UNION
  SELECT listing_id, title, size_text, pack FROM previous_size SEMI JOIN touched USING (listing_id)
)
SELECT listing_id, title, size_text, pack FROM stated WHERE title IS NOT NULL
QUALIFY count(*) OVER (PARTITION BY listing_id) > 1 OR listing_id IN (FROM sized_before);

CREATE TABLE size_reading (title VARCHAR, size_text VARCHAR, pack VARCHAR, size BIGINT, dimension VARCHAR);

SELECT DISTINCT title, size_text, pack FROM size_text;

-- name: sized-listings
-- in: size_text, size_reading, sized_before out: sized_text
-- The sized texts of the listings whose texts state several sizes, or some none: what was before an unsized one is not forgotten.
CREATE TABLE sized_text AS
WITH reading AS (
  SELECT listing_id, size_text.title, size_text.size_text, size_text.pack, size, dimension
  FROM size_text JOIN size_reading ON size_reading.title = size_text.title
    AND size_reading.size_text IS NOT DISTINCT FROM size_text.size_text
    AND size_reading.pack IS NOT DISTINCT FROM size_text.pack
)
FROM reading WHERE size IS NOT NULL AND listing_id IN (
  SELECT listing_id FROM reading GROUP BY listing_id HAVING count(DISTINCT coalesce(dimension || size, '')) > 1
  UNION FROM sized_before);
