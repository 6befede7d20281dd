/** The share, in percent, that like-for-like figures cut from each tail: stated anew, as floors and peers compute it on their own. */
export const TRIM_PERCENT = 5

/** How many of `n` sorted logs are cut from each tail; at least one. */
export const tailOf = (n: number): number => Math.max(1, Math.floor((n * TRIM_PERCENT) / 100))
