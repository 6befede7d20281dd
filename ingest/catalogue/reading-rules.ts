/**
 * The version of all rules by which TypeScript reads the texts of a listing: its title, barcode and condition, and the
 * words and keys that it is found by. A refresh takes readings over from the previous snapshot only where they were made
 * by rules of this version, so that any change of a rule, or of the columns of the readings, needs the next number.
 */
const READING_RULES = 7

/** The name of the table of readings in a snapshot, without its extension. */
export const READINGS = `listing_readings_${READING_RULES}`
