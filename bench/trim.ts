/** The share, in percent, that like-for-like figures cut from each tail: written here again, as floors and peers share no code with the product. */
export const TRIM_PERCENT = 5

/** How many of `n` sorted logs are cut from each tail; at least one. */
export const tailOf = (n: number): number => Math.max(1, Math.floor((n * TRIM_PERCENT) / 100))
