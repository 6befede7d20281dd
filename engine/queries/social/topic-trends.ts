import { z } from 'zod'
import { resolveSocialScope, socialParams } from '../../catalog/social.ts'
import { defineQuery, one } from '../../query.ts'
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

const productType = z.object({ code: z.string(), title: z.string().nullable() })

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
 * Themes of a department by emergence. Population, reach, growth, status and ranking as of brand-momentum, by posts. A
 * theme's product_types are the GPC codes that its posts of the two windows name, the most frequent first; a title is
 * null where no release of GPC is known that has the code. NO_RESULTS without rows.
 */
export const topicTrends = defineQuery(import.meta, {
  group: 'social',
  name: 'topic-trends',
  summary: 'Themes that emerge and shift in social posts of a department',
  params: z.object(socialParams),
  row: z.object({ ...totalColumns, topics: z.array(measured).nullable() }),
  answer: z
    .object({
      category: z.string(),
      ...echoFields,
      thin_base_rows: count,
      topics: z.array(
        z.object({
          theme: z.string(),
          product_types: z.array(productType),
          posts: count,
          prior_posts: count,
          growth_pct: z.number().nullable(),
          shrunken_growth_pct: z.number(),
          reach: count,
          status: statusField,
          thin_base: z.boolean(),
        }),
      ),
      ...tailFields,
    })
    .meta({ id: 'TopicTrends' }),

  resolve: resolveSocialScope,

  shape(rows, context) {
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
