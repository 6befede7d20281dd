SELECT brand_norm, brand FROM brand ORDER BY brand_norm;
