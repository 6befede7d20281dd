CREATE TEMP MACRO second_of(in_time) AS (epoch_us(in_time) // 1000000 % 86400)::INTEGER;

-- A promotion: said to be one, or 5 to 70 per cent below the list price.
CREATE TEMP MACRO is_promo(in_flag, in_price, in_list) AS
  coalesce(in_flag OR (in_list - in_price)::BIGINT * 100 BETWEEN in_list::BIGINT * 5 AND in_list::BIGINT * 70,
    in_flag, false);

-- Small enough that a shelf is read with little around it; few enough that a footer, which every question parses, is short.
CREATE TEMP MACRO row_group_size(in_rows) AS greatest(20480, least(122880, in_rows // 24));
