SELECT DISTINCT brand_source FROM post;
