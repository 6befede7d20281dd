import { z } from 'zod'
import { resolveSocialScope, socialParams } from '../../catalog/social.ts'
import { count, field } from '../../contract/field.ts'
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

const productType = z.object({
  code: field.text('GPC code of 8 digits.'),
  title: field.text('Title of the code; null where it is not known.').nullable(),
})

const measured = z.object({
  place: z.int(),
  theme: z.string(),
  posts: count,
  prior_posts: count,
  reach: z.number(),
  status: statusField,
  product_types: z.array(productType).nullable(),
  movement: z.number(),
})

/**
 * Themes of a department by emergence.
 *
 * @example
 * const { topics } = await engine.ask(topicTrends, { category: 'grocery', window: '30d' })
 * for (const { theme, posts, status } of topics) console.log(theme, posts, status)
 */
export const topicTrends = defineQuery({
  group: 'social',
  name: 'topic-trends',
  summary: 'Themes that emerge and shift in social posts of a department',
  definition: {
    population:
      'Posts of the department and platform on the days of the window and of the equally long prior window, without noise, ' +
      'and without ads where organic_only. A post counts once, on the day it was posted, under its theme.',
    formula:
      'growth_pct compares posts with the prior window; new had none there, rising and falling moved by 20 % or more. ' +
      'reach is the views won in the window. product_types are the GPC codes that posts of the two windows name, the most ' +
      'frequent first. New themes come first by posts, then those that move by shrunken_growth_pct, then the rest by posts.',
    null_rule: `The title of a product type is null where no known GPC release has its code. ${socialNullRule}`,
    sources: socialSources,
  },
  params: z.object(socialParams),
  answer: z
    .object({
      category: field.echo(field.text('Path of the department.')),
      ...echoFields,
      thin_base_rows: thinBaseRows,
      topics: field.list(
        z.object({
          theme: field.text('Name of the theme.'),
          product_types: field.list(productType, 'GPC product types that its posts name, the most frequent first.'),
          posts: field.count('Posts of the window on the theme.'),
          prior_posts: field.count('Posts of the prior window on the theme.'),
          ...growthFields,
          ...statusFields,
        }),
        'Themes: new ones, then those that move most, then the rest.',
      ),
      ...tailFields,
    })
    .meta({ id: 'TopicTrends', description: 'Themes by movement in social posts.' }),

  resolve: resolveSocialScope,

  mayBeEmpty: () => true,

  reads: { rows: statement(import.meta, z.object({ ...totalColumns, topics: z.array(measured).nullable() })) },

  toAnswer({ rows }, context) {
    const { topics: found, ...total } = one(rows)
    const topics = (found ?? []).map(({ theme, product_types, posts, prior_posts, reach, status, movement }) => ({
      theme,
      product_types: product_types ?? [],
      posts,
      prior_posts,
      ...growthOf(posts, prior_posts),
      shrunken_growth_pct: shrunkenGrowth(movement),
      reach,
      status,
    }))
    if (topics.length === 0) throw noRows(context, 'theme was found', {})
    return {
      ...context.echo,
      thin_base_rows: thinRows(topics),
      topics,
      ...tailOf(total, context),
    }
  },
})
