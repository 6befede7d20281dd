import { addDays } from '../contract/days.ts'
import { EngineError } from '../contract/errors.ts'
import { DAY_MS } from '../contract/time.ts'
import { currentDays } from '../contract/window.ts'
import type { Catalog } from './catalog.ts'
import type { PlatformDays } from './social-feeds.ts'

export const socialPlatforms = ['tiktok', 'youtube'] as const
export const socialWindows = ['7d', '30d', '90d'] as const
export type SocialWindow = (typeof socialWindows)[number]
export type SocialPlatform = 'all' | (typeof socialPlatforms)[number]

/** A window of whole UTC days and the one of equal length before it, both [from, to). */
export type SocialDays = { from: string; to: string; prior_from: string; prior_to: string }

/** A published window and how well the feeds cover it. */
export type PublishedWindow = SocialDays & {
  /** Days of the prior window before the feed's first day. */
  unseen_days: number
  /** Platforms whose feed covers the two windows only in part. */
  partial_platforms: readonly string[]
  published: readonly SocialWindow[]
  /** When the newest post of the department on the platforms was posted; null without one. */
  newest_observed_at: string | null
}

/** A window that ended longer ago is not published. */
const MAX_AGE_DAYS = 90

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS

export const daysOf = (window: SocialWindow): number => Number.parseInt(window, 10)

/** The window of that length up to a day, and the one before it. */
const windowUpTo = (to: string, window: SocialWindow): SocialDays => {
  const from = addDays(to, -daysOf(window))
  return { from, to, prior_from: addDays(from, -daysOf(window)), prior_to: from }
}

const earliest = (days: readonly string[]): string => days.reduce((a, b) => (a < b ? a : b))
const latest = (days: readonly string[]): string => days.reduce((a, b) => (a > b ? a : b))

/** When the newest post of a department was posted; null without one. */
const newestPost = (feeds: readonly PlatformDays[]): string | null =>
  feeds.reduce<string | null>((newest, { department_at }) => {
    return department_at !== null && (newest === null || department_at > newest) ? department_at : newest
  }, null)

const isPublished = (feeds: readonly PlatformDays[], { from }: SocialDays): boolean =>
  earliest(feeds.map(({ first_day }) => first_day)) <= from &&
  feeds.some(({ department_day }) => department_day !== null && department_day >= from)

/**
 * The published windows of a department on a platform (or all), before a day. They end after the newest day that the
 * platform's feed covers, at most 90 days ago; a window is published if the feed covers its first day and has a post of
 * the department within it. Pure.
 */
export const publishedWindows = (
  feeds: readonly PlatformDays[],
  before: string,
): ReadonlyMap<SocialWindow, SocialDays> => {
  if (feeds.length === 0) return new Map()
  const to = addDays(latest(feeds.map(({ last_day }) => last_day)), 1)
  if (to < addDays(before, -MAX_AGE_DAYS)) return new Map()
  const windows = socialWindows.map((window) => [window, windowUpTo(to, window)] as const)
  return new Map(windows.filter(([, days]) => isPublished(feeds, days)))
}

/** Whether a feed covers the two windows only in part; days without posts at its end count beyond a tenth of the window. */
const isPartial = ({ first_day, last_day }: PlatformDays, { prior_from, from, to }: SocialDays): boolean => {
  const unseen = daysBetween(addDays(last_day, 1), to)
  const isWithin = first_day < to && last_day >= prior_from
  return isWithin && (first_day > prior_from || unseen > Math.ceil(daysBetween(from, to) / 10))
}

const notPublished = (
  params: { category: string; platform: SocialPlatform; window: SocialWindow },
  feeds: readonly PlatformDays[],
  before: string,
): EngineError => {
  const of = (platform: SocialPlatform) => feeds.filter((feed) => platform === 'all' || feed.platform === platform)
  const published_windows = Object.fromEntries(
    (['all', ...socialPlatforms] as const).map((platform) => [
      platform,
      [...publishedWindows(of(platform), before).keys()],
    ]),
  )
  const publishedThere = published_windows[params.platform]!
  const alternative =
    publishedThere.length > 0 ? `published there: ${publishedThere.join(', ')}` : 'no window is published there'
  const where = `${params.category} on ${params.platform === 'all' ? 'all platforms' : params.platform}`
  return new EngineError('NOT_PUBLISHED', `window: ${params.window} is not published for ${where}; ${alternative}.`, {
    ...params,
    published_windows,
    feeds: feeds.map(({ platform, first_day, last_day }) => ({ platform, from: first_day, through: last_day })),
    newest_observed_at: newestPost(of(params.platform)),
  })
}

/**
 * Resolves a window, which ends after the newest full day before as_of that the feed covers. Throws NOT_PUBLISHED, with
 * the published windows, if it is not published.
 */
export const resolveSocialWindow = async (
  params: { category: string; platform: SocialPlatform; window: SocialWindow },
  catalog: Catalog,
): Promise<PublishedWindow> => {
  const { since: before } = currentDays(catalog.as_of, 0)
  const feeds = await catalog.socialFeeds(params.category, before)
  const platformFeeds = feeds.filter(({ platform }) => params.platform === 'all' || platform === params.platform)
  const published = publishedWindows(platformFeeds, before)
  const days = published.get(params.window)
  if (!days) throw notPublished(params, feeds, before)
  const first = earliest(platformFeeds.map(({ first_day }) => first_day))
  return {
    ...days,
    unseen_days: Math.max(0, Math.min(daysOf(params.window), daysBetween(days.prior_from, first))),
    // For a single feed unseen_days says so.
    partial_platforms:
      platformFeeds.length > 1
        ? platformFeeds.filter((feed) => isPartial(feed, days)).map(({ platform }) => platform)
        : [],
    published: [...published.keys()],
    newest_observed_at: newestPost(platformFeeds),
  }
}
