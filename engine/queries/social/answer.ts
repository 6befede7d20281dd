import { z } from 'zod'
import { freshnessBlock, metaBlock } from '../../catalog/answer.ts'
import type { SocialScope } from '../../catalog/social.ts'
import { socialPlatforms, socialWindows } from '../../catalog/social-window.ts'
import type { Source } from '../../contract/as-of.ts'
import { coverage, freshness, meta, resolved } from '../../contract/blocks.ts'
import { sources } from '../../contract/definition.ts'
import { EngineError } from '../../contract/errors.ts'
import { count, field, figure, headline } from '../../contract/field.ts'
import { percent, share } from '../../contract/round.ts'

/** Fewer posts than this are too few to represent the department's conversation (NCHS threshold, as for price baskets). */
const SUFFICIENT_POSTS = 30
/** A prior window with fewer mentions is a thin base: growth from it says little. */
const THIN_BASE = 10

/** The counts of a department's posts, as columns of a row. */
export const totalColumns = {
  posts: count,
  noise_posts: count,
  observed_min: figure,
  observed_max: figure,
}
export type Total = { [K in keyof typeof totalColumns]: z.output<(typeof totalColumns)[K]> }

export const echoFields = {
  window_days: field.days('Length of the window, and of the prior window before it.'),
  platform: field.choice(['all', ...socialPlatforms], 'Social platform of the posts, as sent.'),
  organic_only: field.flag('Whether posts marked as ads are left out.'),
}

export const tailFields = {
  noise_pct: field.share('Share of the posts that are noise, which no other figure counts.').nullable(),
  coverage,
  freshness,
  snapshot: z
    .object({
      snapshot_id: field.key('The published version of the data.'),
      published_at: field.time('When it was published.'),
      from: field.date('First day of the window.'),
      to: field.date('The day after the last one of the window.'),
      prior_from: field.date('First day of the prior window.'),
      prior_to: field.date('The day after the last one of the prior window.'),
    })
    .meta({ id: 'SocialSnapshot', description: 'The windows that are compared, and the data they are of.' }),
  resolved,
  meta,
}

/** The status of a brand or theme: its movement against the prior window. */
export const statusField = field.choice(
  ['new', 'rising', 'falling', 'flat'],
  'new: none in the prior window; rising or falling: by 20 % or more; flat: the rest.',
)

/** How a row moved against the prior window, and how far it reached. */
export const growthFields = {
  growth_pct: headline(field.change('Growth against the prior window; null where that has none.')).nullable(),
  shrunken_growth_pct: field.change('Growth with ten added to both windows, so that small numbers do not lead.'),
  reach: field.count('Views won in the window.'),
}

/** How to read that movement. */
export const statusFields = {
  status: statusField,
  thin_base: field.flag('Whether the prior window has fewer than 10: growth from so few says little.'),
}

export const thinBaseRows = field.count('Rows whose thin_base is true.')

export const socialNullRule =
  'growth_pct is null where the prior window has none. NO_RESULTS, free of charge, without rows.'
export const socialSources = [sources.posts, 'Gelman et al., Bayesian Data Analysis, 3rd ed. (2013), 2.6.']

/** Growth in percent and the flag of a thin base. growth_pct is null without a prior base. */
export const growthOf = (now: number, prior: number) => ({
  growth_pct: prior === 0 ? null : percent((100 * (now - prior)) / prior),
  thin_base: prior < THIN_BASE,
})

/** The growth by which rows are ranked, shrunk towards zero by a prior of ten mentions in either window. */
export const shrunkenGrowth = (ratio: number): number => percent(100 * (ratio - 1))

export const thinRows = (rows: readonly { thin_base: boolean }[]): number =>
  rows.filter(({ thin_base }) => thin_base).length

/** The refusal for an answer without rows, which is free of charge. */
export const noRows = ({ echo, window }: SocialScope, what: string, details: Record<string, unknown>): EngineError =>
  new EngineError('NO_RESULTS', `No ${what} in ${echo.category} from ${window.prior_from} to ${window.to}.`, {
    ...echo,
    ...details,
    from: window.from,
    to: window.to,
    newest_observed_at: window.newest_observed_at,
  })

const note = (posts: number, { window }: SocialScope): string => {
  const { unseen_days, partial_platforms } = window
  const volume =
    posts < SUFFICIENT_POSTS ? `Only ${posts} posts: too few to read as the conversation.` : `${posts} posts.`
  const unseen =
    unseen_days > 0
      ? ` The feed begins ${unseen_days} days into the prior window: what looks new or rising may be older.`
      : ''
  const partial =
    partial_platforms.length > 0 ? ` The windows are covered in part only by ${partial_platforms.join(' and ')}.` : ''
  return `${volume}${unseen}${partial}`
}

const unpublishedNote = ({ window: { published } }: SocialScope): string => {
  const missing = socialWindows.filter((window) => !published.includes(window))
  return missing.length > 0
    ? `Not published here: ${missing.join(', ')}. The feed does not cover them.`
    : 'Every window is published here.'
}

/** The last fields of a social answer. Population: the posts of department and platform first seen in the window, without noise. */
export const tailOf = (total: Total, context: SocialScope & Source) => {
  const { posts, noise_posts, observed_min, observed_max } = total
  if (observed_min === null || observed_max === null) throw noRows(context, 'post', {})
  const { snapshot_id, published_at, window, resolved } = context
  const { from, to, prior_from, prior_to, unseen_days, partial_platforms } = window
  const observed = { min: observed_min, max: observed_max }
  return {
    noise_pct: share(noise_posts, posts + noise_posts),
    coverage: {
      products: posts,
      sufficient: posts >= SUFFICIENT_POSTS && unseen_days === 0 && partial_platforms.length === 0,
      note: note(posts, context),
      unpublished_note: unpublishedNote(context),
      sku_note: 'Posts are counted, each once, on the day it was posted; they speak of brands and themes, not of SKUs.',
      rank_note:
        'New ones by volume, then risers and fallers by shrunken growth (ten mentions added to either window), ' +
        'then the rest by volume.',
    },
    freshness: freshnessBlock(context, observed),
    snapshot: { snapshot_id, published_at, from, to, prior_from, prior_to },
    resolved,
    meta: metaBlock(context, observed),
  }
}
