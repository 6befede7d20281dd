SELECT DISTINCT brand.value AS text FROM attribute WHERE brand IS NOT NULL;
