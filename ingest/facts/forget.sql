-- in: $previous, withdrawn_listing out: previous_attribute
-- Listings that are left without any row are unknown from here on.
CREATE OR REPLACE VIEW previous_attribute AS
SELECT * EXCLUDE (gtin14, gtin_anchor) FROM read_parquet(getvariable('previous')['listing_attributes'])
ANTI JOIN (SELECT listing_id FROM withdrawn_listing WHERE is_gone) AS gone USING (listing_id);
