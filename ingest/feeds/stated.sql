-- What each line of the file under way states, column by column as text. A constant of the feed's description comes
-- first, then the file's own column, which has another name for each file: the variables `sources` and `constants`.
CREATE TEMP MACRO own_text(in_line, in_column) AS
  coalesce(getvariable('constants')[in_column],
           struct_extract(in_line, getvariable('sources')[in_column])::VARCHAR);

-- The same, through the feed's own words where its description reads them as ours: the variable `vocabulary`.
CREATE TEMP MACRO translated(in_text, in_column) AS
  CASE WHEN getvariable('vocabulary')[in_column] IS NULL THEN in_text
       ELSE coalesce(getvariable('vocabulary')[in_column][trim(in_text)], in_text) END;

CREATE TEMP MACRO part(in_line, in_names, in_place) AS
  nullif(trim(struct_extract(in_line, coalesce(in_names[in_place], '(absent)'))::VARCHAR), '');

CREATE TEMP MACRO joined(in_line, in_names, in_gap) AS
  concat_ws(in_gap, part(in_line, in_names, 1), part(in_line, in_names, 2), part(in_line, in_names, 3),
    part(in_line, in_names, 4), part(in_line, in_names, 5), part(in_line, in_names, 6), part(in_line, in_names, 7),
    part(in_line, in_names, 8));

-- The lines of the file under way: each file has a view of its own of this form (read-*.sql).
CREATE TEMP VIEW raw AS
SELECT {'(absent)': NULL::VARCHAR} AS line, false AS malformed, NULL::VARCHAR AS source WHERE false;

CREATE TEMP MACRO stated() AS TABLE
WITH line_text AS (
  SELECT malformed, source,
    own_text(line, 'platform') AS platform, own_text(line, 'country') AS country,
    -- A listing without an id of its own has one made of the columns that tell it apart.
    CASE WHEN getvariable('lists')['identity'] IS NOT NULL
      THEN left(sha256(nullif(joined(line, getvariable('lists')['identity'], chr(31)), '')), 20)
      ELSE own_text(line, 'listing_id') END AS listing_text,
    own_text(line, 'observed_at') AS observed_text, own_text(line, 'scraped_at') AS scraped_text,
    own_text(line, 'last_seen_at') AS last_seen_text, own_text(line, 'price') AS price_text,
    own_text(line, 'list_price') AS list_text, own_text(line, 'currency') AS currency,
    own_text(line, 'promo_flag') AS promo_flag,
    coalesce(own_text(line, 'availability'), own_text(line, 'in_stock')) AS availability,
    own_text(line, 'star_rating') AS rating_text, own_text(line, 'review_count') AS review_text,
    own_text(line, 'seller_id') AS seller_text, own_text(line, 'product_name') AS product_name,
    own_text(line, 'brand') AS brand, own_text(line, 'gtin') AS gtin, own_text(line, 'mpn') AS mpn,
    own_text(line, 'model') AS model, own_text(line, 'item_group_id') AS item_group_id,
    own_text(line, 'is_bundle') AS is_bundle, own_text(line, 'multipack') AS multipack,
    own_text(line, 'browse_ids') AS browse_ids,
    CASE WHEN getvariable('lists')['breadcrumb'] IS NOT NULL
      THEN joined(line, getvariable('lists')['breadcrumb'], ' > ')
      ELSE own_text(line, 'category_path') END AS category_path,
    own_text(line, 'google_product_category') AS google_product_category, own_text(line, 'gpc_code') AS gpc_code,
    own_text(line, 'condition') AS condition, own_text(line, 'url') AS url, own_text(line, 'size_value') AS size_value,
    own_text(line, 'size_unit') AS size_unit, own_text(line, 'pack_count') AS pack_count,
    own_text(line, 'seller_type') AS seller_type,
    own_text(line, 'path') AS path_text, own_text(line, 'name') AS name_text,
    own_text(line, 'parent_path') AS parent_text, own_text(line, 'aliases') AS aliases_text,
    own_text(line, 'gpc_codes') AS gpc_codes_text, own_text(line, 'is_accessory') AS is_accessory_text,
    own_text(line, 'is_mixed') AS is_mixed_text, own_text(line, 'price_floor_us') AS floor_us_text,
    own_text(line, 'price_floor_ca') AS floor_ca_text, own_text(line, 'active') AS active_text,
    own_text(line, 'marketplace') AS marketplace_text, own_text(line, 'browse_id') AS browse_text,
    own_text(line, 'parent_id') AS parent_id_text, own_text(line, 'path_ids') AS path_ids_text
  FROM raw
)
SELECT * REPLACE (
    words(product_name) AS product_name, coalesce(words(brand), brand_in(words(product_name))) AS brand, words(gtin) AS gtin, words(mpn) AS mpn,
    words(model) AS model, words(item_group_id) AS item_group_id, words(is_bundle) AS is_bundle,
    words(multipack) AS multipack, words(browse_ids) AS browse_ids, below_root(words(category_path)) AS category_path,
    words(google_product_category) AS google_product_category, words(gpc_code) AS gpc_code,
    words(translated(condition, 'condition')) AS condition, words(url) AS url, words(size_value) AS size_value,
    words(size_unit) AS size_unit, words(pack_count) AS pack_count, words(seller_type) AS seller_type),
  translated(platform, 'platform') AS platform_text, translated(country, 'country') AS country_text,
  translated(currency, 'currency') AS currency_text, translated(promo_flag, 'promo_flag') AS promo_text,
  translated(availability, 'availability') AS stock_text
FROM line_text;
