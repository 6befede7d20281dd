import { sharedData } from './entities-labelled.ts'

/** The check digit of a barcode's digits before it: weights 3 and 1 from the right. */
export const CHECK_DIGIT = `CREATE MACRO check_digit(in_body) AS
  (10 - list_sum([in_body[-place]::INTEGER * CASE WHEN place % 2 = 1 THEN 3 ELSE 1 END
    FOR place IN range(1, length(in_body) + 1)]) % 10) % 10`

/** Real, intact barcodes of 14 digits. */
const WHOLE = [
  {
    name: 'ca_bcl_panel',
    whole: `SELECT DISTINCT upc[3:16] AS gtin FROM read_parquet('${sharedData}/ca_bcl_panel/listings.parquet') WHERE upc LIKE '[''%'`,
  },
  {
    name: 'us_kroger_upc',
    whole: `SELECT DISTINCT '00' || lpad(upc, 11, '0') || check_digit(lpad(upc, 11, '0')) AS gtin
      FROM read_csv('${sharedData}/us_kroger_upc/kroger_product_data.csv.gz', all_varchar = true) WHERE upc IS NOT NULL`,
  },
] as const

/** Typical ways in which shops break barcodes; none of the results identifies the product. */
const BROKEN: Readonly<Record<string, string>> = {
  wrong_check: `gtin[:13] || (gtin[14]::INTEGER + 1) % 10`,
  cut: `ltrim(gtin[:13], '0')`,
  restricted: `'02' || gtin[4:13] || '00' || check_digit('02' || gtin[4:13] || '00')`,
  coupon: `'0099' || gtin[5:13] || '0' || check_digit('0099' || gtin[5:13] || '0')`,
  rounded: `format('{:.5e}', gtin::DOUBLE)`,
  repeated: `repeat(gtin[13], 13)`,
  zeros: `'00000000000000'`,
}

export type Barcodes = { name: string; catalogue: string }

/** One shop has intact barcodes, each of the others the same listings with broken ones: every join is wrong. */
export const brokenBarcodes: readonly Barcodes[] = WHOLE.map(({ name, whole }) => ({
  name,
  catalogue: `WITH whole AS (${whole}), shop AS (
      SELECT 'whole' AS platform, gtin AS product, gtin FROM whole
      ${Object.entries(BROKEN)
        .map(([shop, code]) => `UNION ALL SELECT '${shop}', gtin, ${code} FROM whole`)
        .join('\n')}
    )
    SELECT platform, platform || ' ' || product AS listing_id, gtin, NULL AS price FROM shop`,
}))
