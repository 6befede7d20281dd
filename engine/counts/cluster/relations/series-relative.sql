-- The listing-period prices of a series after its first period whose price relative to that is plausible.
SELECT retailer_id, category_id, brand_id, day.1 AS period, period = last_period AS is_last,
       days[-1].1 = last_period AND on_clearance(days[-1].2, median) AS is_cleared, log_relative(days[1].2, day.2) AS log
FROM series_listing ARRAY JOIN days AS day
WHERE has_base AND period > first_period AND plausible(days[1].2, day.2)
