SELECT DISTINCT condition.value AS field, telling_title(product_name.value) AS title
FROM attribute
WHERE condition IS NOT NULL OR telling_title(product_name.value) IS NOT NULL;
