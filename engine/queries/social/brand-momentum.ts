import { z } from 'zod'
import { resolveSocialScope, type SocialScope, socialParams } from '../../catalog/social.ts'
import { count, field } from '../../contract/field.ts'
import { share } from '../../contract/round.ts'
import { statement } from '../../counts/count.ts'
import { defineQuery, one } from '../query.ts'
import {
  echoFields,
  growthFields,
  growthOf,
  noRows,
  shrunkenGrowth,
  socialNullRule,
  socialSources,
  statusField,
  statusFields,
  tailFields,
  tailOf,
  thinBaseRows,
  thinRows,
  totalColumns,
} from './answer.ts'

const statuses = ['new', 'rising', 'falling', 'all'] as const

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
 * Brands by movement in conversation.
 *
 * @example
 * const { brands } = await engine.ask(brandMomentum, { category: 'grocery', window: '30d', status: 'rising' })
 * for (const { brand, mentions, growth_pct } of brands) console.log(brand, mentions, growth_pct)
 */
export const brandMomentum = defineQuery({
  group: 'social',
  name: 'brand-momentum',
  summary: 'Brands that enter, rise and fall in social posts of a department',
  definition: {
    population:
      'Posts of the department and platform on the days of the window and of the equally long prior window, without noise, ' +
      'and without ads where organic_only. A post counts once, on the day it was posted; a post that names several brands ' +
      'is a mention of each.',
    formula:
      'growth_pct compares mentions with the prior window; new had none there, rising and falling moved by 20 % or more. ' +
      'reach is the views won in the window; engagement_rate_pct the likes, comments and shares won per view. New brands ' +
      'come first by mentions, then those that move by shrunken_growth_pct, then the rest by mentions.',
    null_rule: `engagement_rate_pct is null where no reactions are known. ${socialNullRule}`,
    sources: socialSources,
  },
  params: z.object({
    ...socialParams,
    status: field
      .choice(statuses, 'Only brands of this status; new had no mention in the prior window.')
      .default('all'),
  }),
  answer: z
    .object({
      category: field.echo(field.text('Path of the department.')),
      subcategory: z.null().describe('Always null: posts are counted by department.'),
      ...echoFields,
      status: field.choice(statuses, 'Which brands are listed, as sent.'),
      thin_base_rows: thinBaseRows,
      brands: field.list(
        z.object({
          brand: field.text('Name of the brand, in its most common spelling.'),
          brand_norm: field.key('Key of the brand, the same for all its spellings.'),
          mentions: field.count('Posts of the window that name the brand.'),
          prior_mentions: field.count('Posts of the prior window that name the brand.'),
          ...growthFields,
          engagement_rate_pct: field
            .percent('Likes, comments and shares won per view; null where none are known.')
            .nullable(),
          ...statusFields,
        }),
        'Brands: new ones, then those that move most, then the rest.',
      ),
      ...tailFields,
    })
    .meta({ id: 'BrandMomentum', description: 'Brands by movement in social posts.' }),

  async resolve(params, catalog) {
    const { bindings, context } = await resolveSocialScope(params, catalog)
    const { status } = params
    return {
      bindings: { ...bindings, status },
      context: { ...context, status } as SocialScope & { status: (typeof statuses)[number] },
    }
  },

  mayBeEmpty: () => true,

  reads: {
    rows: statement(
      import.meta,
      z.object({ ...totalColumns, subject_count: count, brands: z.array(measured).nullable() }),
    ),
  },

  toAnswer({ rows }, context) {
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
