CREATE MACRO catalogue(in_country) AS TABLE
WITH platform_habit AS (
  SELECT platform, chance(platform, 'groups', 50) AS groups, chance(platform, 'gpc', 30) AS codes,
         CASE WHEN chance(platform, 'unit dot', 30) THEN '.' ELSE '' END AS unit_end
  FROM retailer
), described AS (
  SELECT listing_no, cell.platform, cell.country, listing_id, product_name, brand_text AS brand, gtin,
         CASE WHEN chance(listing_no, 'mpn', 60) THEN model END AS mpn, model,
         CASE WHEN groups THEN 'G' || family_no END AS item_group_id,
         CASE WHEN pack > 1 THEN pack END AS multipack,
         CASE WHEN role = 'marketplace' AND browse_id IS NOT NULL THEN [browse_id] END AS browse_ids,
         CASE WHEN chance(listing_no, 'uncategorized', 1) THEN NULL WHEN breadcrumb = 'short' THEN short_breadcrumb
           WHEN breadcrumb = 'renamed' THEN renamed_breadcrumb ELSE full_breadcrumb END AS category_path,
         CASE WHEN codes AND NOT contains(category.gpc_codes, '|') THEN category.gpc_codes END AS gpc_code,
         CASE WHEN condition_is_in <> 'title' THEN listing.condition END AS condition,
         format('https://www.{}.example/{}/p/{}', replace(platform, '_', '-'), cell.country, listing_id) AS url,
         size_value, size_unit || unit_end AS size_unit, pack AS pack_count,
         as_time(as_day(entered)) AS first_seen_at,
         as_time(as_day(entered + greatest(life_days - 1, 0))) AS last_seen_at,
         CASE WHEN is_delisted THEN as_time(as_day(entered + life_days)) END AS delisted_at
  FROM listing JOIN spelling USING (listing_no) JOIN cell USING (cell_no) JOIN platform_habit USING (platform)
    JOIN product USING (product_no) JOIN category USING (category_no) LEFT JOIN browse_node USING (category_no, country)
  WHERE cell.country = in_country
)
SELECT * EXCLUDE (listing_no) FROM described
UNION ALL
-- A pack of another size was seen the day before it had this one, and this one then.
SELECT * EXCLUDE (listing_no, size, before, size_before, changed_on, is_before) REPLACE (
  CASE WHEN is_before THEN replace(product_name, size, size_before) ELSE product_name END AS product_name,
  CASE WHEN is_before THEN before ELSE size_value END AS size_value,
  as_time(as_day(changed_on - is_before::INTEGER)) AS last_seen_at, NULL AS delisted_at)
FROM described JOIN resize USING (listing_no), (VALUES (true), (false)) AS moment(is_before);
