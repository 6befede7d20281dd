/**
 * Whether tests run at full size: `SHELFMARK_TEST_SIZE=full npm test`, which also runs the files `*.full.test.ts`
 * (vitest.config.ts).
 */
export const isFullSize = process.env.SHELFMARK_TEST_SIZE === 'full'

/** The size of what repeats a test by chance or on more data: smaller unless tests run at full size. */
export const sized = <T>(small: T, full: T): T => (isFullSize ? full : small)
