-- in: day_of_year out:
-- The blocks that the listings of staged months are in.
SELECT DISTINCT listing_id // $per_block::INTEGER AS block FROM day_of_year ORDER BY block;
