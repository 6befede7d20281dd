import { z } from 'zod'
import { resolveSocialScope, type SocialScope, socialParams } from '../../catalog/social.ts'
import { defineQuery, one } from '../../query.ts'
import { share } from '../../round.ts'
import {
  echoFields,
  growthOf,
  noRows,
  shrunkenGrowth,
  statusField,
  tailFields,
  tailOf,
  thinRows,
  totalColumns,
} from './answer.ts'

const count = z.int().min(0)
const status = z.enum(['new', 'rising', 'falling', 'all'])

const measured = z.object({
  place: z.int(),
  brand: z.string(),
  brand_norm: z.string(),
  mentions: count,
  prior_mentions: count,
  reach: z.number(),
  rated_reach: z.number(),
  engagements: z.number(),
  status: statusField,
  movement: z.number(),
})

/**
 * Brands by movement in conversation. Population: posts of the department and platform on the days of the window or the
 * one before, without noise, and without ads where organic_only; a post of several brands is a mention of each. A post
 * counts once; reach is the views won in the window, engagement_rate_pct the likes, comments and shares won per view,
 * null where none are known. growth_pct compares mentions with the prior window, null where that has none: `new`;
 * `rising` and `falling` from 20 % on. Ranking: new by mentions, movers by the posterior ratio of sql/social.sql, flat
 * by mentions; ties by mentions, then key. Times in meta and freshness are those of posts. NO_RESULTS without rows.
 */
export const brandMomentum = defineQuery(import.meta, {
  group: 'social',
  name: 'brand-momentum',
  summary: 'Brands that enter, rise and fall in social posts of a department',
  params: z.object({
    ...socialParams,
    status: status.default('all').describe('Only brands of this status; `new` had no mention in the prior window.'),
  }),
  row: z.object({ ...totalColumns, subject_count: count, brands: z.array(measured).nullable() }),
  answer: z
    .object({
      category: z.string(),
      subcategory: z.null(),
      ...echoFields,
      status,
      thin_base_rows: count,
      brands: z.array(
        z.object({
          brand: z.string(),
          brand_norm: z.string(),
          mentions: count,
          prior_mentions: count,
          growth_pct: z.number().nullable(),
          shrunken_growth_pct: z.number(),
          reach: count,
          engagement_rate_pct: z.number().nullable(),
          status: statusField,
          thin_base: z.boolean(),
        }),
      ),
      ...tailFields,
    })
    .meta({ id: 'BrandMomentum' }),

  resolve(params, catalog) {
    const { bindings, context } = resolveSocialScope(params, catalog)
    const { status } = params
    return {
      bindings: { ...bindings, status },
      context: { ...context, status } as SocialScope & { status: typeof status },
    }
  },

  shape(rows, context) {
    const { subject_count, brands: found, ...total } = one(rows)
    const { status, echo } = context
    const brands = (found ?? []).map(({ brand, brand_norm, mentions, prior_mentions, status, ...row }) => ({
      brand,
      brand_norm,
      mentions,
      prior_mentions,
      ...growthOf(mentions, prior_mentions),
      shrunken_growth_pct: shrunkenGrowth(row.movement),
      reach: row.reach,
      engagement_rate_pct: share(row.engagements, row.rated_reach),
      status,
    }))
    if (brands.length === 0)
      throw noRows(context, status === 'all' ? 'brand was mentioned' : `${status} brand was found`, {
        status,
        brands_of_any_status: subject_count,
      })
    const { category, ...others } = echo
    return {
      category,
      subcategory: null,
      ...others,
      status,
      thin_base_rows: thinRows(brands),
      brands,
      ...tailOf(total, context),
    }
  },
})
