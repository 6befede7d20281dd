-- Titles only where they may speak of a condition.
SELECT DISTINCT condition.value AS field,
  CASE WHEN regexp_matches(product_name.value, getvariable('condition_hint'), 'i') THEN product_name.value END AS title
FROM attribute
WHERE condition IS NOT NULL OR regexp_matches(product_name.value, getvariable('condition_hint'), 'i');
