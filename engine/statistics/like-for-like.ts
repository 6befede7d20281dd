import { z } from 'zod'
import { field, headline } from '../contract/field.ts'
import { orNull, percent } from '../contract/round.ts'
import { pointsOf, roundedParts } from './contributions.ts'
import { bucketCounts, distributionOf } from './distribution.ts'
import { joinedCounts, type LogCounts, logSums, medianLog, pairsIn } from './log-counts.ts'
import { CLEARANCE_PERCENT, jevonsChange, LOG_UNIT, STABLE_BUCKET, STABLE_PERCENT } from './price-relative.ts'
import {
  clusteredInterval,
  type Trimmed,
  trimmed,
  trimmedChange,
  trimmedInterval,
  trimmedParts,
} from './trimmed-mean.ts'

/** Below this many matched pairs there is no change. */
export const MIN_MATCHED = 10

/** The pairs of the first and the last period within the fence, counted by retailer and by whether they end on clearance. */
export type MatchedGroup = LogCounts & { retailer_id: number; is_cleared: boolean }

const interval = z.object({
  low: field.change('Lower bound of the change.'),
  high: field.change('Upper bound of the change.'),
  level: z.literal(0.95).meta({ description: 'Confidence level: 0.95 is 95 %.', unit: 'confidence' }),
  method: field.text('Name of the method that the bounds were computed by.'),
})

/** The like-for-like change of one point; `pointLikeForLike`. */
export const pointLikeForLikeField = z
  .object({
    change_pct: field.change('Like-for-like change since the first period; null below 10 matched listings.').nullable(),
    low: interval.shape.low.describe('Lower bound of its 95 % interval; null where lfl_ci would be.').nullable(),
    high: interval.shape.high.describe('Upper bound of its 95 % interval; null where lfl_ci would be.').nullable(),
    matched: field.count('Listings priced in the first period and in this one, within the plausibility fence.'),
  })
  .describe('As lfl_change_pct and lfl_ci, up to this period: the last point equals them. Null at the first.')
  .nullable()
type PointLikeForLike = NonNullable<z.output<typeof pointLikeForLikeField>>
const NO_BOUNDS = { low: null, high: null }

const variant = (description: string) => field.change(description).nullable()

/** The like-for-like fields of an inflation answer. */
export const likeForLikeFields = {
  lfl_change_pct: headline(
    field.change(
      'Like-for-like change: how much the same listings changed in price from the first period of the window to the ' +
        'last, as a trimmed geometric mean. Null below 10 matched listings.',
    ),
  ).nullable(),
  lfl_matched: field.count('Listings priced in both the first and the last period, within the plausibility fence.'),
  lfl_rising: field.count(`Matched listings that rose by more than ${STABLE_PERCENT} %.`),
  lfl_stable: field.count(`Matched listings that changed by ${STABLE_PERCENT} % at most.`),
  lfl_falling: field.count(`Matched listings that fell by more than ${STABLE_PERCENT} %.`),
  lfl_excluded_implausible: field.count(
    'Listings left out because their price relative lies outside the plausibility fence, which is more likely an error.',
  ),
  lfl_note: field
    .text('Why lfl_change_pct is null, or rests on few of the listings; null where there is nothing to note.')
    .nullable(),
  lfl_ci: interval
    .describe('95 % confidence interval of lfl_change_pct; null below 30 matched listings or where no price differs.')
    .nullable(),
  lfl_ci_clustered: interval
    .extend({ clusters: field.count('Retailers that the interval was computed over.') })
    .describe('The interval when prices of one retailer move together; null below 5 retailers or 30 matched listings.')
    .nullable(),
  lfl_variants: z
    .object({
      jevons: variant('The change without trimming (Jevons index).'),
      winsorised: variant('The change with the tails drawn in instead of cut.'),
      median: variant('The median change of a listing.'),
      excluding_clearance: variant(
        `The change without listings that end ${CLEARANCE_PERCENT} % or more below their own median price; null below 10 listings.`,
      ),
      regular: variant(
        'The change of regular prices, without sales; null below 10 listings, and without `regular=true`.',
      ),
    })
    .describe(
      'The same change by other estimators: how far the choice of method matters. Null below 10 matched listings.',
    )
    .nullable(),
}

const trimmedOf = (counted: LogCounts): Trimmed | null => (pairsIn(counted) < MIN_MATCHED ? null : trimmed(counted))

const byRetailer = (groups: readonly MatchedGroup[]): { retailer_id: number; own: LogCounts }[] => {
  const retailers = [...new Set(groups.map(({ retailer_id }) => retailer_id))].sort((a, b) => a - b)
  return retailers.map((retailer_id) => ({
    retailer_id,
    own: joinedCounts(groups.filter((group) => group.retailer_id === retailer_id)),
  }))
}

type Part<K> = { of: K; matched: number; contribution_pp: number }

/**
 * What each part of the pairs adds to the change, in points that add up to it together with the rest, the largest first; none
 * without a change. Parts are in an order that breaks ties; those beyond a limit are the rest, by their points before rounding.
 */
const contributionsOf = <K>(parts: readonly { of: K; own: LogCounts }[], limit = parts.length) => {
  const trim = trimmedOf(joinedCounts(parts.map(({ own }) => own)))
  if (trim === null) return { listed: [] as Part<K>[], other_pp: null }
  const logs = trimmedParts(
    trim,
    parts.map(({ own }) => own),
  )
  const points = pointsOf(logs, Number(trim.sum) / trim.kept / LOG_UNIT)
  const places = parts.map((_, i) => i).sort((a, b) => Math.abs(points[b]!) - Math.abs(points[a]!) || a - b)
  const kept = places.slice(0, limit).sort((a, b) => a - b)
  const rest = places.slice(limit).reduce((sum, place) => sum + points[place]!, 0)
  const hasRest = parts.length > limit
  const rounded = roundedParts(
    [...kept.map((place) => points[place]!), ...(hasRest ? [rest] : [])],
    trimmedChange(trim),
  )
  const listed = kept.map(
    (place, i): Part<K> => ({
      of: parts[place]!.of,
      matched: pairsIn(parts[place]!.own),
      contribution_pp: rounded[i]!,
    }),
  )
  return {
    // A stable sort keeps the order of the parts among equal ones.
    listed: listed.sort((a, b) => Math.abs(b.contribution_pp) - Math.abs(a.contribution_pp)),
    other_pp: hasRest ? rounded.at(-1)! : 0,
  }
}

/** What each retailer adds to the change; `contributionsOf`. */
export const retailerContributions = (groups: readonly MatchedGroup[]) =>
  contributionsOf(byRetailer(groups).map(({ retailer_id, own }) => ({ of: retailer_id, own }))).listed

/** Categories and brands that are listed as contributing; all others are added up. */
export const MAX_CONTRIBUTIONS = 20

/** The same of what groups are named, null for those without a name. */
export const namedContributions = <G extends LogCounts>(
  groups: readonly G[],
  nameOf: (group: G) => string | null,
  limit = MAX_CONTRIBUTIONS,
) => {
  const byName = new Map<string | null, G[]>()
  for (const group of groups) {
    const others = byName.get(nameOf(group))
    if (others) others.push(group)
    else byName.set(nameOf(group), [group])
  }
  const parts = [...byName].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return contributionsOf(
    parts.map(([of, own]) => ({ of, own: joinedCounts(own) })),
    limit,
  )
}

const variants = (trim: Trimmed, all: LogCounts, groups: readonly MatchedGroup[], regular: LogCounts) => ({
  jevons: percent(jevonsChange(logSums(all).sum, trim.n)),
  winsorised: percent(jevonsChange(trim.winsorised.sum, trim.n)),
  median: percent(jevonsChange(medianLog(all), 1)),
  excluding_clearance: orNull(trimmedChange, trimmedOf(joinedCounts(groups.filter(({ is_cleared }) => !is_cleared)))),
  regular: orNull(trimmedChange, trimmedOf(regular)),
})

/** A first or last period with fewer than this share of the largest period's listings is noted as thin. */
const MIN_SHARE = 1 / 5

type PeriodSize = { date: string; product_count: number; partial: boolean }

/** Notes on a first or last period with few of the listings. */
const thinEnds = (sizes: readonly PeriodSize[]): string[] => {
  const largest = Math.max(...sizes.map(({ product_count }) => product_count))
  const ends = [
    ['first', sizes[0]!],
    ['last', sizes.at(-1)!],
  ] as const
  return ends
    .filter(([, { product_count }]) => product_count < MIN_SHARE * largest)
    .map(
      ([name, { date, product_count }]) =>
        `The ${name} period (from ${date}) has ${product_count} products, under a fifth of the largest (${largest}).`,
    )
}

/** A note on a first or last period that the window cuts. */
const cutEnds = (sizes: readonly PeriodSize[]): string[] => {
  const [first, last] = [sizes[0]!, sizes.at(-1)!]
  const cut = [
    ...(first.partial ? [`the first period (from ${first.date})`] : []),
    ...(last.partial ? [`the last period (from ${last.date})`] : []),
  ]
  if (cut.length === 0) return []
  return [`The window cuts ${cut.join(' and ')}, so that fewer days are compared than a whole period has.`]
}

/** Why there is no change, or why it may not be representative; null without such a reason. */
const note = (matched: number, implausible: number, sizes: readonly PeriodSize[]): string | null => {
  if (sizes.length < 2) return 'Fewer than two periods have observations: no product can be compared with itself.'
  const notes = [...cutEnds(sizes), ...thinEnds(sizes)]
  if (matched < MIN_MATCHED)
    notes.unshift(
      `Only ${matched} products were priced in both the first and the last period; ${MIN_MATCHED} are needed.`,
    )
  if (implausible > matched)
    notes.push(
      `The plausibility fence left out ${implausible} of the ${matched + implausible} products priced in both: ` +
        'check the prices of the feed.',
    )
  return notes.length === 0 ? null : notes.join(' ')
}

/**
 * Like-for-like change over a window: the mean log price relative of the listings priced in its first and last period,
 * after the plausibility fence and with TRIM_PERCENT (at least one) trimmed from each tail, exponentiated. A trimmed
 * Jevons index, so time-reversible (CPI Manual 2020, 8.37). Null below 10 pairs; lfl_note has the reason and
 * other doubts. `pairs` counts the pairs before the fence; `regular` are those of regular prices, if any.
 */
export const likeForLike = (
  groups: readonly MatchedGroup[],
  pairs: number,
  sizes: readonly PeriodSize[],
  regular: LogCounts = joinedCounts([]),
) => {
  const all = joinedCounts(groups)
  const matched = pairsIn(all)
  const trim = trimmedOf(all)
  const buckets = bucketCounts(all)
  const stable = buckets[STABLE_BUCKET]!
  const rising = buckets.slice(STABLE_BUCKET + 1).reduce((sum, count) => sum + count, 0)
  return {
    lfl_change_pct: orNull(trimmedChange, trim),
    lfl_matched: matched,
    lfl_rising: rising,
    lfl_stable: stable,
    lfl_falling: matched - rising - stable,
    lfl_distribution: distributionOf(buckets),
    lfl_excluded_implausible: pairs - matched,
    lfl_note: note(matched, pairs - matched, sizes),
    lfl_ci: trim && trimmedInterval(trim),
    lfl_ci_clustered:
      trim &&
      clusteredInterval(
        trim,
        byRetailer(groups).map(({ own }) => own),
      ),
    lfl_variants: trim && variants(trim, all, groups, regular),
  }
}

/**
 * The like-for-like change from the first period to another, by the definition of the headline, with its interval. The
 * change is null below 10 matched listings, its bounds where lfl_ci would be.
 */
export const pointLikeForLike = (all: LogCounts): PointLikeForLike => {
  const trim = trimmedOf(all)
  const { low, high } = (trim && trimmedInterval(trim)) ?? NO_BOUNDS
  return { change_pct: orNull(trimmedChange, trim), low, high, matched: pairsIn(all) }
}

type LastPoint = Pick<ReturnType<typeof likeForLike>, 'lfl_change_pct' | 'lfl_ci' | 'lfl_matched'>

/** `pointLikeForLike` of the last period, from the headline. */
export const lastLikeForLike = (headline: LastPoint): PointLikeForLike => ({
  change_pct: headline.lfl_change_pct,
  low: headline.lfl_ci?.low ?? null,
  high: headline.lfl_ci?.high ?? null,
  matched: headline.lfl_matched,
})
