/** Durations, as a suffix says in milliseconds or in seconds. UTC days are all equally long. */
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const DAY_SECONDS = DAY_MS / 1000
