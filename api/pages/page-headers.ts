const BASE =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * Content Security Policies. `plain` forbids scripts; `wallet` adds the script that pays with a browser wallet;
 * `reference` adds its own scripts and the images in the style sheet of Swagger UI.
 */
const policies = {
  plain: BASE,
  wallet: `${BASE}; script-src 'self'; connect-src 'self'`,
  reference:
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'; script-src 'self'; connect-src 'self'",
} as const
export type Policy = keyof typeof policies

/** The headers of every page. */
export const pageHeaders = (policy: Policy) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policies[policy],
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
})

/** Whether a request is of a browser that loads a page. */
export const wantsPage = (accept: string | undefined): boolean => (accept ?? '').includes('text/html')
