-- What a file's description makes of a row beyond its columns.

-- Whether a name begins with a brand and ends or breaks there: `Seasonic` does not begin with `Sea`.
CREATE TEMP MACRO begins_with(in_name, in_brand) AS
  starts_with(in_name, lower(in_brand)) AND NOT regexp_matches(in_name[length(in_brand) + 1], '[\p{L}\p{N}]');

-- The brand that begins a name: the longest of those that the description lists, else the first word where it lists `*`.
-- The variable `brand_prefixes` has them by their first words.
CREATE TEMP MACRO brand_in(in_name) AS CASE WHEN cardinality(getvariable('brand_prefixes')) > 0 THEN coalesce(
  list_filter(getvariable('brand_prefixes')[regexp_extract(lower(in_name), '^[\p{L}\p{N}]*')],
    lambda brand: begins_with(lower(in_name), brand))[1],
  CASE WHEN getvariable('brand_prefixes')['*'] IS NOT NULL THEN regexp_extract(in_name, '^\S+') END) END;

-- A category below the root that the description sets; the root itself where there is none.
CREATE TEMP MACRO below_root(in_path) AS
  CASE WHEN getvariable('file')['category_root'] IS NULL THEN in_path
       ELSE concat_ws(' > ', getvariable('file')['category_root'], in_path) END;
