-- Statistics shared by the queries. Every macro takes values; none reads a table. Parameters are named in_... because
-- a parameter named like a column would match every row.

-- Sample deviation (n - 1) from exact integer sums; null below two values.
CREATE MACRO sample_deviation(in_n, in_sum, in_square_sum) AS
  CASE WHEN in_n > 1
    THEN sqrt((in_n::HUGEINT * in_square_sum - in_sum::HUGEINT * in_sum)::DOUBLE / (in_n::DOUBLE * (in_n - 1))) END;

-- Eight equal-width buckets over [low, high] in whole cents; a value on an edge goes up, the top edge is inclusive.
CREATE MACRO bucket(in_price, in_low, in_high) AS
  CASE WHEN in_high = in_low THEN 0
    ELSE least(7, 8 * (in_price::BIGINT - in_low) // (in_high - in_low)) END::INTEGER;
