const OWN = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'"
const BASE = `${OWN}; frame-ancestors 'none'`

/**
 * Content Security Policies. `plain` forbids scripts; `wallet` adds the script that pays with a browser wallet; a page with `embed` may be
 * in a frame of any site.
 */
const policies = {
  plain: BASE,
  embed: `${OWN}; frame-ancestors *`,
  wallet: `${BASE}; script-src 'self'; connect-src 'self'`,
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

/** Whether a request is of an agent that reads pages as Markdown. */
export const wantsMarkdown = (accept: string | undefined): boolean => (accept ?? '').includes('text/markdown')
