import { z } from 'zod'
import type { Resolved } from '../contract/blocks.ts'
import type { CategoryMatch } from '../contract/category-node.ts'
import { type EngineError, invalidParam } from '../contract/errors.ts'
import { round } from '../contract/round.ts'
import type { Catalog } from './catalog.ts'
import { alternateOf } from './scope.ts'
import {
  daysOf,
  type PublishedWindow,
  resolveSocialWindow,
  type SocialPlatform,
  type SocialWindow,
  socialPlatforms,
  socialWindows,
} from './social-window.ts'

const MIN_CONFIDENCE = 0.6
const MAX_ALTERNATES = 5

/** The parameters of the social endpoints. */
export const socialParams = {
  category: z
    .string()
    .min(1)
    .max(200)
    .describe('Department, by slug or name: the root of a category path, not an aisle.')
    .meta({ examples: ['grocery'] }),
  window: z
    .enum(socialWindows)
    .default('30d')
    .describe('Length of the window and of the prior one that it is compared with.'),
  platform: z
    .enum(['all', ...socialPlatforms])
    .default('all')
    .describe('Social platform of the posts.'),
  organic_only: z.boolean().default(false).describe('Leaves out posts that are marked as ads.'),
  limit: z.int().min(1).max(100).default(25).meta({ description: 'Maximum number of rows.', unit: 'count' }),
}
type SocialParams = {
  category: string
  window: SocialWindow
  platform: SocialPlatform
  organic_only: boolean
  limit: number
}

/** The context that every social query needs to shape its answer. */
export type SocialScope = {
  published_at: string
  resolved: Resolved
  echo: { category: string; window_days: number; platform: SocialPlatform; organic_only: boolean }
  window: PublishedWindow
}

const noRoot = (input: string, [best, ...others]: readonly CategoryMatch[]): EngineError => {
  const department = best && best.match_confidence >= MIN_CONFIDENCE ? best.node.department : undefined
  const reason = department
    ? `"${best!.node.path}" is an aisle; send its department "${department}"`
    : `no department matches "${input}"; the query public/categories lists them`
  const alternates = [...(best ? [best] : []), ...others].slice(0, MAX_ALTERNATES).map(alternateOf)
  return invalidParam('category', reason, {
    input,
    ...(department ? { category_root: department } : {}),
    alternates,
  })
}

/** The department with that slug or name, or a confident match that is a root. Refuses an aisle, naming its department. */
const matchRoot = (input: string, catalog: Catalog): Resolved => {
  const matches = catalog.categories.resolve(input)
  const [best] = matches
  const isRoot = best?.node.depth === 1 && best.match_confidence >= MIN_CONFIDENCE
  const match = catalog.categories.department(input) ?? (isRoot ? best : undefined)
  if (!match) throw noRoot(input, matches)
  return {
    input,
    category_path: match.node.path,
    department: match.node.department,
    match_source: match.match_source,
    match_confidence: round(match.match_confidence, 4),
    alternates: matches
      .filter(({ node }) => node !== match.node)
      .slice(0, MAX_ALTERNATES)
      .map(alternateOf),
  }
}

/**
 * Resolves the params of a social query: the department, then the window. Throws INVALID_PARAMS for a category that is not
 * a department, NOT_PUBLISHED for a window that is not published.
 */
export const resolveSocialScope = async (params: SocialParams, catalog: Catalog) => {
  const resolved = matchRoot(params.category, catalog)
  const { platform, organic_only, limit } = params
  const category = resolved.category_path
  const window = await resolveSocialWindow({ category, platform, window: params.window }, catalog)
  const { from, to, prior_from } = window
  const context: SocialScope = {
    published_at: catalog.published_at,
    resolved,
    echo: { category, window_days: daysOf(params.window), platform, organic_only },
    window,
  }
  return {
    bindings: {
      category_root: category,
      platform: platform === 'all' ? null : platform,
      organic_only,
      prior_from,
      from,
      to,
      limit,
    },
    context,
  }
}
