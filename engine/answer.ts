import type { z } from 'zod'
import type { listedPrice, meta, nullableMeta, priceRow, Resolved } from './blocks.ts'
import type { Scope } from './catalog/scope.ts'
import type { Window } from './catalog/window.ts'
import { EngineError } from './errors.ts'
import { money, orNull, percent } from './round.ts'

/** The moment and the snapshot that an answer is of; part of every query's context. */
export type Source = { as_of: string; snapshot_id: string }

/** A moment in seconds since 1970 as an RFC 3339 time. */
export const dateTimeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

type Observed = { min: number; max: number }
type Meta<O> = z.output<O extends Observed ? typeof meta : typeof nullableMeta>

/**
 * The `meta` block. `observed` is in seconds since 1970, oldest and newest observation behind the answer, null without
 * any. An answer is a function of snapshot and as_of, so `computed_at` is as_of: the same question has the same bytes.
 */
export const metaBlock = <O extends Observed | null>({ as_of, snapshot_id }: Source, observed: O): Meta<O> => {
  const now = Date.parse(as_of) / 1000
  return {
    served_from: 'snapshot',
    freshness_seconds: observed && Math.max(0, Math.floor(now - observed.max)),
    schema_version: '1.0',
    computed_at: dateTimeOf(now),
    price_observed_at_min: observed && dateTimeOf(observed.min),
    price_observed_at_max: observed && dateTimeOf(observed.max),
    snapshot_id,
  } as Meta<O>
}

/** A price row of an answer. discount_pct is null without a list price above the price. */
export const priceRowOf = (listed: Omit<z.output<typeof listedPrice>, 'place'>): z.output<typeof priceRow> => {
  const { price, list_price } = listed
  return {
    product_uid: listed.product_uid,
    entity_uid: listed.entity_uid,
    product_id: listed.product_id,
    product_name: listed.product_name,
    brand: listed.brand,
    retailer: listed.retailer,
    price: money(price),
    list_price: orNull(money, list_price),
    discount_pct: list_price !== null && list_price > price ? percent((100 * (list_price - price)) / list_price) : null,
    star_rating: listed.star_rating,
    review_count: listed.review_count,
    promo_flag: listed.promo_flag,
    in_stock: listed.in_stock,
    condition: listed.condition,
    url: listed.url,
    match_type: listed.match_type,
    observed_at: dateTimeOf(listed.observed_at),
    scraped_at: dateTimeOf(listed.scraped_at),
  }
}

/** The refusal of a question whose scope holds no observation. */
export const nothingObserved = (
  { echo, resolved }: Pick<Scope<Resolved | null>, 'echo' | 'resolved'>,
  window?: Window,
  brand?: string,
): EngineError => {
  const scope = [
    resolved?.category_path,
    brand,
    `country ${echo.country}`,
    echo.retailer && `retailer ${echo.retailer}`,
  ]
  const where = scope.filter(Boolean).join(', ')
  const when = window ? `from ${window.from} to ${window.to}` : 'recently; a greater days looks further back'
  return new EngineError('NO_RESULTS', `No price was observed in ${where} ${when}.`, {
    ...echo,
    ...(brand ? { brand } : {}),
    ...(window ? { from: window.from, to: window.to } : {}),
    alternates: resolved?.alternates ?? [],
  })
}
