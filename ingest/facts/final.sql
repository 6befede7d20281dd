-- in: listing, attribute, entity, listing_type, listing_size, likely_listing, current_price, lowness, category, brand, retailer, shelf_day, merged_month, previous_shelf_day, taxonomy, likely_match, match_weight out: final_listing, final_category, final_brand, final_retailer, final_attribute, final_shelf_day
-- The whole tables of the snapshot, in the order of their files. Returns the rows of each, and the sum of their hashes,
-- which does not depend on the order of rows.
CREATE TABLE final_listing AS
SELECT listing.country, listing_id, retailer_id, brand_id, category_id, accessory_depth, product_uid,
  entity_uid, listing.product_id, coalesce(product_name.value, listing.product_id) AS product_name,
  listing.brand, listing.condition, gtin14, url.value AS url, star_rating.value AS star_rating,
  review_count.value AS review_count, price, list_price, promo_flag, in_stock, observed_at, scraped_at, first_day,
  last_day, gpc_id, gpc_precision, gpc_source,
  CASE WHEN recommended_price.value BETWEEN 1 AND 99999999 THEN recommended_price.value::INTEGER END AS recommended_price,
  listing_size.size_milli, listing_size.size_unit, listing_size.pack_count,
  CASE WHEN price IS NOT NULL THEN coalesce(observed_days, 0) END AS observed_days,
  CASE WHEN price IS NOT NULL THEN coalesce(lower_days, 0) END AS lower_days, last_lower_day, previous_price,
  likely_uid, likely_probability
FROM listing
JOIN attribute USING (listing_id) JOIN entity USING (listing_id) JOIN listing_type USING (listing_id)
LEFT JOIN listing_size USING (listing_id) LEFT JOIN likely_listing USING (listing_id)
LEFT JOIN current_price USING (listing_id) LEFT JOIN lowness USING (listing_id)
ORDER BY category_id, listing_id;

CREATE TABLE final_category AS
WITH direct AS (
  SELECT category_id, count(*) AS listings FROM listing GROUP BY category_id
),
counted AS (
  SELECT category.category_id, coalesce(sum(listings), 0)::INTEGER AS product_count
  FROM category LEFT JOIN direct ON direct.category_id BETWEEN category.category_id AND category.category_last
  GROUP BY category.category_id
)
SELECT category_id, category_last, depth, accessory_depth, product_count, path, name, department, parent_path, aliases,
  gpc_codes, is_accessory, is_mixed
FROM category JOIN counted USING (category_id)
WHERE path <> 'uncategorized' OR product_count > 0
ORDER BY category_id;

CREATE TABLE final_brand AS
SELECT brand_id, product_count, brand_norm, brand FROM brand ORDER BY brand_id;

CREATE TABLE final_retailer AS
SELECT retailer_id, product_count, platform, countries, last_observed_at
FROM retailer LEFT JOIN (
  SELECT retailer_id, max(observed_at) AS last_observed_at FROM final_listing GROUP BY retailer_id
) USING (retailer_id)
ORDER BY retailer_id;

CREATE VIEW final_attribute AS
SELECT attribute.*, gtin14, coalesce(is_anchor, false) AS gtin_anchor
FROM attribute JOIN listing USING (listing_id);

-- The shelves of merged months, and those of other months from the previous snapshot.
CREATE TABLE final_shelf_day AS
SELECT country, day, category_id, retailer_id, observation_count, first_second, last_second
FROM (
  SELECT country, day, category_id, retailer_id, observation_count, first_second, last_second FROM shelf_day
  UNION ALL
  SELECT country, day, category_id, retailer_id, observation_count, first_second, last_second
  FROM previous_shelf_day ANTI JOIN merged_month
    ON merged_month.country = previous_shelf_day.country
    AND merged_month.month = strftime(previous_shelf_day.day, '%Y-%m')
)
ORDER BY category_id, retailer_id, day, country;

SELECT 'listings' AS name, count(*)::INTEGER AS rows, sum(hash(final_listing))::VARCHAR AS hash FROM final_listing
UNION ALL
SELECT 'categories', count(*)::INTEGER, sum(hash(final_category))::VARCHAR FROM final_category
UNION ALL
SELECT 'brands', count(*)::INTEGER, sum(hash(final_brand))::VARCHAR FROM final_brand
UNION ALL
SELECT 'retailers', count(*)::INTEGER, sum(hash(final_retailer))::VARCHAR FROM final_retailer
UNION ALL
SELECT 'listing_attributes', count(*)::INTEGER, sum(hash(final_attribute))::VARCHAR FROM final_attribute
UNION ALL
SELECT 'shelf_days', count(*)::INTEGER, sum(hash(final_shelf_day))::VARCHAR FROM final_shelf_day
UNION ALL
SELECT 'category_taxonomy', count(*)::INTEGER, sum(hash(taxonomy))::VARCHAR FROM taxonomy
UNION ALL
SELECT 'matches', count(*)::INTEGER, sum(hash(likely_match))::VARCHAR FROM likely_match
UNION ALL
SELECT 'match_weights', count(*)::INTEGER, sum(hash(match_weight))::VARCHAR FROM match_weight;
