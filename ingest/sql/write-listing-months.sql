-- A listing's month: the price is the discrete median of its days, always one that was posted; stock and promo are those
-- of its last day.
CREATE OR REPLACE TEMP TABLE listing_month AS
SELECT category_id, listing_id, retailer_id, brand_id, (getvariable('partition').month || '-01')::DATE AS period,
  quantile_disc(price, 0.5) AS price, count(*)::INTEGER AS observation_count, arg_max_null(in_stock, day) AS in_stock,
  arg_max(is_promo(promo_flag, price, list_price), day) AS promo
FROM merged
GROUP BY category_id, listing_id, retailer_id, brand_id;

COPY (SELECT * FROM listing_month ORDER BY category_id, listing_id)
TO (getvariable('partition').months_to) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);
