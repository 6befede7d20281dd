-- in: month_row, $partition out:
-- The observations of a month by listing, until the files of its year are written: so sorted that a block is read alone.
COPY (
  SELECT listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock, observed_second FROM month_row
  ORDER BY listing_id, day
) TO (getvariable('partition')['listing_days_to']) (FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE 20480);
