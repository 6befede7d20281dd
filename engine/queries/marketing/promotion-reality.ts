import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { resolveWindowScope } from '../../catalog/scope.ts'
import { meta, resolved, scopeEcho, window } from '../../contract/blocks.ts'
import { addDays } from '../../contract/days.ts'
import { EMPTY_SCOPE, sources, WINDOW } from '../../contract/definition.ts'
import { beside, field, headline } from '../../contract/field.ts'
import { brand, category, country, retailer, windowParams } from '../../contract/params.ts'
import { orNull, percent, share } from '../../contract/round.ts'
import { type Condition, type Counted, count, groupsOf, observedSpan, spanOf } from '../../counts/count.ts'
import { joinedCounts, medianLog } from '../../statistics/log-counts.ts'
import { HISTORY_DAYS } from '../../statistics/price-claim.ts'
import { DEPTH_UNIT } from '../../statistics/promotion.ts'
import { CLAIM_SOURCES, CLAIMS, isAbovePriorLow, isSupported } from '../claimed-prices.ts'
import { defineQuery } from '../query.ts'

const isJudged: Condition<'price_claim'> = ['or', isAbovePriorLow, isSupported]

const claimsOfScope = {
  from: 'price_claim',
  by: { ranked: ['if', '$by_brand', 'brand_id', 'retailer_id'] },
} as const

const isCounted: readonly Condition<'price_claim'>[] = [
  ['is', 'retailer_id', '$retailer_id'],
  ['or', ['not', '$by_brand'], ['known', 'brand_id']],
]

const claims = count({
  ...claimsOfScope,
  where: isCounted,
  sums: {
    above: isAbovePriorLow,
    supported: isSupported,
    start_unknown: ['not', 'is_start_seen'],
    unreal: ['and', isJudged, ['>=', 'price', 'prior_low']],
  },
})
const claimedDepths = count({ ...claimsOfScope, where: [...isCounted, isJudged], value: 'claimed' })
const relatives = count({ ...claimsOfScope, where: [...isCounted, isJudged], value: 'relative' })

type Claims = Counted<typeof claims>
type CountedValues = Counted<typeof claimedDepths> | Counted<typeof relatives>

/** The median of the values of some groups, in percent; null without any. */
const medianOf = (valued: CountedValues, isWanted: (ranked: number) => boolean): number | null => {
  const tallies = groupsOf(valued, (group) => isWanted(valued.key.ranked[group]!)).map((group) => valued.tally(group))
  const counted = joinedCounts(tallies.map(({ values, counts }) => ({ logs: values, counts })))
  return counted.logs.length === 0 ? null : (100 * medianLog(counted)) / DEPTH_UNIT
}

const claimCounts = {
  claim_count: field.count('Claims of an earlier, higher price that were seen in the window.'),
  above_prior_low_count: field.count('Those whose earlier price is above the lowest of the days before.'),
  supported_count: field.count('Those that the days before support.'),
  insufficient_history_count: field.count('Those of which too few days before are known to say.'),
  start_unknown_count: field.count('Claims that the listing made whenever it was observed before, too.'),
  above_prior_low_pct: field
    .share('Share of the judged claims, above or supported, whose earlier price is above the lowest; null without any.')
    .nullable(),
  median_claimed_pct: field.share('Median reduction that judged claims state; null without any.').nullable(),
  median_real_pct: field.reduction('Median of their reduction from the lowest price of the days before.').nullable(),
  unreal_pct: field.share('Share of the judged claims whose price is no lower than that lowest price.').nullable(),
}

const claimRow = z
  .object({
    brand: field.text('The brand of the row, or the brand that was sent; null: all brands.').nullable(),
    retailer: field.text('The retailer of the row, or the retailer that was sent; null: all retailers.').nullable(),
    ...claimCounts,
  })
  .meta({ id: 'ClaimRow', description: 'Claims of one brand or retailer.' })

/** The figures of the claims of some groups. */
const figuresOf = (
  read: { claims: Claims; claimedDepths: CountedValues; relatives: CountedValues },
  isWanted: (ranked: number) => boolean,
) => {
  const { n, key, sum } = read.claims
  const groups = groupsOf(read.claims, (group) => isWanted(key.ranked[group]!))
  const of = (column: Float64Array): number => groups.reduce((all, group) => all + column[group]!, 0)
  const [claim_count, above, supported] = [of(n), of(sum.above), of(sum.supported)]
  const judged = above + supported
  const relative = medianOf(read.relatives, isWanted)
  return {
    claim_count,
    above_prior_low_count: above,
    supported_count: supported,
    insufficient_history_count: claim_count - judged,
    start_unknown_count: of(sum.start_unknown),
    above_prior_low_pct: share(above, judged),
    median_claimed_pct: orNull(percent, medianOf(read.claimedDepths, isWanted)),
    median_real_pct: relative === null ? null : percent(100 - relative),
    unreal_pct: share(of(sum.unreal), judged),
  }
}

/**
 * How much of the discounts of a category is real.
 *
 * @example
 * const params = { category: 'coffee', days: 60 } as const
 * const { above_prior_low_pct, median_claimed_pct, median_real_pct } = await engine.ask(promotionReality, params)
 * console.log(above_prior_low_pct, median_claimed_pct, median_real_pct)
 */
export const promotionReality = defineQuery({
  group: 'marketing',
  name: 'promotion-reality',
  summary: 'How much of the discounts that retailers or brands claim is real',
  definition: {
    population:
      'Every claim in scope that was seen in the window, as it was last seen in it; a listing that claims, stops and claims again ' +
      `has two. Used articles and accessories too; of branded listings only when ranked by brand. ${WINDOW}`,
    formula:
      `${CLAIMS}Shares and medians are of the judged claims, above_prior_low and supported; unreal_pct of those whose real_pct is ` +
      '0 or less. Ranked by the number of claims, then the normalised name.',
    null_rule: `Shares and medians are null where no claim is judged. ${EMPTY_SCOPE}`,
    sources: [sources.prices, ...CLAIM_SOURCES],
  },
  params: z.object({
    category,
    country,
    retailer: retailer.optional(),
    brand: brand.optional(),
    aggregate_by: z
      .enum(['retailer', 'brand'])
      .default('retailer')
      .describe('What is ranked; the answer has a list of that name.'),
    ...windowParams,
  }),
  answer: z
    .object({
      ...scopeEcho,
      brand: field.text('Name of the brand that was sent; null: all brands.').nullable(),
      aggregate_by: field.choice(['retailer', 'brand'], 'What is ranked.'),
      window,
      ...claimCounts,
      above_prior_low_pct: headline(claimCounts.above_prior_low_pct),
      median_claimed_pct: beside(claimCounts.median_claimed_pct),
      median_real_pct: beside(claimCounts.median_real_pct),
      retailers: field.list(claimRow, 'Retailers, most claims first; absent when brands are ranked.').optional(),
      brands: field.list(claimRow, 'Brands, most claims first; absent when retailers are ranked.').optional(),
      resolved,
      meta,
    })
    .meta({ id: 'PromotionReality', description: 'How much of the discounts of a category is real.' }),

  async resolve(params, catalog) {
    const { bindings, periods, context } = await resolveWindowScope(params, 'daily', catalog)
    const from = addDays(periods.from, -HISTORY_DAYS)
    const by_brand = params.aggregate_by === 'brand'
    return {
      bindings: {
        ...bindings,
        by_brand,
        listing_ids: null,
        claimed_from: periods.from,
        from,
        to: periods.to,
        month_from: from.slice(0, 7),
        month_to: periods.month_to,
      },
      context: { ...context, by_brand, claimed_from: periods.from },
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { observed: observedSpan, claims, claimedDepths, relatives },

  toAnswer({ observed, ...read }, context, { brandsById, platforms }) {
    const { echo, resolved, window, brand, by_brand, claimed_from } = context
    const span = spanOf(observed)
    if (!span || span.max < Date.parse(claimed_from) / 1000) throw nothingObserved(context)
    const list = groupsOf(read.claims)
      .map((group) => {
        const id = read.claims.key.ranked[group]!
        const rankedBrand = by_brand ? brandsById.get(id)! : null
        const platform = platforms.get(id)!
        return {
          key: rankedBrand?.brand_norm ?? platform,
          row: {
            brand: rankedBrand?.brand ?? brand,
            retailer: by_brand ? echo.retailer : platform,
            ...figuresOf(read, (ranked) => ranked === id),
          },
        }
      })
      .sort((a, b) => b.row.claim_count - a.row.claim_count || (a.key < b.key ? -1 : 1))
      .map(({ row }) => row)
    return {
      ...echo,
      brand,
      aggregate_by: by_brand ? ('brand' as const) : ('retailer' as const),
      window,
      ...figuresOf(read, () => true),
      ...(by_brand ? { brands: list } : { retailers: list }),
      resolved,
      meta: metaBlock(context, span),
    }
  },
})
