COPY (FROM catalogue($country::VARCHAR) ORDER BY platform, listing_id) TO $path (FORMAT json);
