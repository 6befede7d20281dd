-- What is the same in every observation of a listing.
CREATE TABLE offer AS
SELECT listing_no, step, phase, crawl_hour, ending, platform, country, currency, listing_id, list_price_mode,
       list_price_type, marks_promos, seller_id, rating_tenths,
       CASE WHEN seller_id IS NULL THEN 'first_party' ELSE 'third_party' END AS seller_type,
       CASE WHEN list_price_mode = 'inflated' AND chance(listing_no, 'inflated', 40)
         THEN 125 + below(listing_no, 'inflation', 60) END AS inflated_pct,
       CASE WHEN condition_is_in <> 'title' THEN condition END AS condition,
       CASE WHEN rating_tenths IS NOT NULL THEN review_count END AS review_count,
       CASE WHEN seller_id IS NOT NULL THEN pick([0, 0, 499, 599, 799], listing_no, 'shipping') END AS shipping_price,
       CASE WHEN role IS DISTINCT FROM 'marketplace' THEN size_value * pack END AS unit_count,
       CASE WHEN unit_count IS NOT NULL THEN size_unit END AS unit_price_measure
FROM listing JOIN cell USING (cell_no) JOIN product USING (product_no) JOIN cadence USING (listing_no)
ORDER BY listing_no;
