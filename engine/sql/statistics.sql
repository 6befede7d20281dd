-- Statistics shared by the queries. Every macro takes values; none reads a table. Parameters are named in_... because
-- a parameter named like a column would match every row.

-- The log of a price relative in units of 1e-12: sums of integers do not depend on the order of rows or threads. Most
-- prices stay as they are, and a logarithm is expensive.
CREATE MACRO log_relative(in_base, in_price) AS
  CASE WHEN in_price = in_base THEN 0 ELSE round(ln(in_price::DOUBLE / in_base) * 1e12)::BIGINT END;

-- The plausibility fence of price relatives (ONS): exactly threefold is kept.
CREATE MACRO plausible(in_base, in_price) AS
  in_price::BIGINT <= 3 * in_base::BIGINT AND in_base::BIGINT <= 3 * in_price::BIGINT;

-- Stable: a change of at most 0.5 % of the base price.
CREATE MACRO unmoved(in_base, in_price) AS abs(in_price::BIGINT - in_base) * 200 <= in_base;

-- On promotion: marked so, or 5 % to 70 % below the list price.
CREATE MACRO on_promotion(in_flag, in_price, in_list) AS
  coalesce(in_flag, false)
  OR coalesce(20 * (in_list::BIGINT - in_price) >= in_list AND 10 * (in_list::BIGINT - in_price) <= 7 * in_list::BIGINT, false);

-- Values cut from EACH tail of n sorted ones: 5 %, at least one.
CREATE MACRO tail_cut(in_n) AS greatest(1, in_n // 20);

CREATE MACRO trimmed_sum(in_sorted) AS
  list_sum(in_sorted[tail_cut(len(in_sorted)) + 1 : len(in_sorted) - tail_cut(len(in_sorted))]);

-- A value drawn in to the nearest kept one.
CREATE MACRO winsorised(in_value, in_low, in_high) AS greatest(in_low, least(in_high, in_value))::HUGEINT;
