-- Current listings as they are listed.
SELECT category_id, listing_id, retailer_id, brand_id, brand, gpc_id, gpc_precision, gpc_source, product_uid, entity_uid,
       likely_uid, product_id, product_name, condition, url, price, list_price,
       greatest(0, coalesce((list_price - price)::DOUBLE / list_price, 0)) AS discount,
       (100 * star_rating)::INTEGER AS rating, review_count, coalesce(review_count, 0) AS reviews, promo_flag, in_stock,
       observed_at, scraped_at, recommended_price, size_milli, size_unit, pack_count, observed_days, lower_days,
       strftime(last_lower_day, '%Y-%m-%d') AS last_lower_day, previous_price
FROM current_offer
