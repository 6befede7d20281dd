-- The static lists. A text list is separated by `|`; prices are US dollars; a mark is 'accessory' or 'mixed'.
CREATE TABLE department (name VARCHAR, other_name VARCHAR, drift_pct DOUBLE);
CREATE TABLE node (
  parent VARCHAR, name VARCHAR, aliases VARCHAR, gpc_codes VARCHAR, mark VARCHAR, price_floor DECIMAL(9, 2)
);
CREATE TABLE shelf (
  name VARCHAR, weight INTEGER, median DOUBLE, sigma DOUBLE, style VARCHAR, nouns VARCHAR, sizes VARCHAR
);
CREATE TABLE topic (department VARCHAR, theme VARCHAR, gpc_codes VARCHAR, trend VARCHAR);
-- Shares are of the products a retailer may carry; level is against the mean retailer; every wave_days, wave_pct of the
-- listings are repriced; promo_pct is the chance of a sale in 60 days.
CREATE TABLE retailer (
  platform VARCHAR, us_share DOUBLE, ca_share DOUBLE, departments VARCHAR, level DOUBLE, wave_days INTEGER,
  wave_pct INTEGER, promo_pct INTEGER, list_price_mode VARCHAR, list_price_type VARCHAR, marks_promos BOOLEAN,
  breadcrumb VARCHAR, id_style VARCHAR, title_style VARCHAR, gtin_digits INTEGER, gtin_pct INTEGER, role VARCHAR
);
-- A style is what shelves share: names of series, variants, packs, and the percentage that is not sold as new.
CREATE TABLE style (
  style VARCHAR, series VARCHAR, variants VARCHAR, packs VARCHAR, has_model BOOLEAN, resale_pct INTEGER
);
CREATE TABLE brand_word (heads VARCHAR, tails VARCHAR);
CREATE TABLE named_brand (brand VARCHAR, brand_norm VARCHAR);
-- Releases in the official structure: codes are the standard's, titles and definitions our own. Groups are segments,
-- families and classes: the level and the parent are in the digits. A value is its code and its title; a change of the
-- newest release is 'new' or 'retired'.
CREATE TABLE gpc_group (code VARCHAR, title VARCHAR, definition VARCHAR);
CREATE TABLE gpc_brick (code VARCHAR, class_code VARCHAR, title VARCHAR, definition VARCHAR);
CREATE TABLE gpc_attribute (code VARCHAR, title VARCHAR, value_list VARCHAR, bricks VARCHAR);
CREATE TABLE gpc_change (brick_code VARCHAR, change VARCHAR);
CREATE TABLE phrase (
  phrase VARCHAR, outcome VARCHAR, gpc_code VARCHAR, candidate_codes VARCHAR, reason VARCHAR, note VARCHAR
);
