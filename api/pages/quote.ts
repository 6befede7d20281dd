import {
  type AnyQuery,
  ageText,
  boughtIn,
  counted,
  dayRange,
  type Plan,
  queryId,
  type ResolvedProduct,
} from '../../engine/index.ts'
import { apiPath, pathWith } from '../http/address.ts'
import { pagePath } from './calls.ts'
import { type HtmlContent, html, type Markup } from './html.ts'
import { facts } from './parts.ts'
import { priceOf, type Site } from './site.ts'

/** A planned request that is not paid, with a name for its purchase, so that a repeated one is not charged again. */
export type PlannedPurchase = { plan: Plan; purchase: string }

type ResolvedScope = { category_path: string | null; match_source: string; match_confidence: number }
type Planned = { resolved?: ResolvedScope | null; window?: { from: string; to: string } }

const scopeText = ({ category_path, match_source, match_confidence }: ResolvedScope): HtmlContent =>
  category_path !== null &&
  html`<b>${category_path}</b>, matched by ${match_source}, confidence ${match_confidence.toFixed(2)}`

/** The product that would be bought, and how surely it is the one that was meant. */
const productText = (product: ResolvedProduct, as_of: string): HtmlContent => {
  const { name, product_uid, brand, retailer_count, observed_at, match_confidence, products_matched } = product
  const age = observed_at === null ? null : ageText(Date.parse(as_of) - Date.parse(observed_at))
  return html`<b>${name ?? product_uid}</b>${brand !== null && `, ${brand}`}, at ${counted(retailer_count, 'retailer')}${age !== null && `, seen ${age} ago`}; confidence ${match_confidence.toFixed(2)}${products_matched > 1 && `, ${products_matched} products match`}`
}

/** What a plan says about the request: how names were resolved, and the days. */
const planFacts = (plan: Plan): (readonly [HtmlContent, HtmlContent])[] => {
  const { resolved, window } = (plan.context ?? {}) as Planned
  const product = boughtIn(plan)
  const scope = resolved && scopeText(resolved)
  return [
    ...(product ? [['Product', productText(product, plan.as_of)] as const] : []),
    ...(scope ? [['Scope', scope] as const] : []),
    ...(window ? [['Days', html`<b>${dayRange(window.from, window.to)}</b>`] as const] : []),
  ]
}

const payForm = (
  query: AnyQuery,
  params: Record<string, string>,
  { purchase }: PlannedPurchase,
  { payment }: Site,
  price: string,
): HtmlContent => {
  if (payment?.mode === 'test money')
    return html`<form class="actions" method="post" action="${pathWith(pagePath(query), params)}#result"><input type="hidden" name="purchase" value="${purchase}"><button type="submit">Pay $${price} of test money and answer</button><span>On the local chain of this service, by x402 on Base.</span></form>`
  if (payment?.mode === 'wallet')
    return html`<div class="actions" id="wallet" data-api="${pathWith(apiPath(query), params)}" data-page="${pathWith(pagePath(query), params)}" data-purchase="${purchase}"><button type="button" id="pay" hidden>Pay $${price} with a browser wallet</button><span id="wallet-status" role="status">A browser wallet pays here in USDC on Base, with JavaScript. Any other client of ${payment.ways} pays the request below.</span></div>`
  return html`<p class="hint">Pay the request below with a client of ${payment?.ways}.</p>`
}

/** The planned request with its price, and a way to pay for it. */
export const quoteBox = (
  query: AnyQuery,
  params: Record<string, string>,
  quote: PlannedPurchase,
  site: Site,
): Markup => {
  const price = priceOf(query, site) ?? '0'
  return html`<div class="quote" id="result"><h3>Planned: ${queryId(query)}</h3>
${facts([
  ['Request', html`<code>GET ${pathWith(apiPath(query), params)}</code>`],
  ['Price', html`<b>$${price}</b>, charged once, when the answer is ready`],
  ...planFacts(quote.plan),
  ['Snapshot', html`<code>${quote.plan.snapshot_id}</code>`],
])}
${payForm(query, params, quote, site, price)}</div>`
}
