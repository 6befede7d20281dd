-- What the texts of listings are read as, one row a text.
CREATE TABLE brand_reading (
  text VARCHAR, brand_norm VARCHAR, label VARCHAR, is_placeholder_us BOOLEAN, is_placeholder_ca BOOLEAN
);
CREATE TABLE gtin_reading (text VARCHAR, gtin14 VARCHAR, is_anchor BOOLEAN);
CREATE TABLE condition_reading (field VARCHAR, title VARCHAR, condition VARCHAR);
CREATE TABLE category_reading (text VARCHAR, category_id INTEGER);
CREATE TABLE category (category_id INTEGER, category_last INTEGER, depth INTEGER, accessory_depth INTEGER,
  path VARCHAR, name VARCHAR, department VARCHAR, parent_path VARCHAR, aliases VARCHAR[], gpc_codes VARCHAR[],
  is_accessory BOOLEAN, is_mixed BOOLEAN);
