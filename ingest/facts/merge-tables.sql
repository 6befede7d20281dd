-- What merging gathers over all months.
CREATE TABLE duplicate (file INTEGER, kind VARCHAR, rows BIGINT);
CREATE TABLE latest (listing_id INTEGER, observed_at TIMESTAMP, scraped_at TIMESTAMP, price INTEGER, list_price INTEGER,
  promo_flag BOOLEAN, in_stock BOOLEAN, first_day DATE, last_day DATE);
CREATE TABLE shelf_day (country VARCHAR, month VARCHAR, day DATE, category_id INTEGER, retailer_id INTEGER,
  observation_count INTEGER, first_second INTEGER, last_second INTEGER);
