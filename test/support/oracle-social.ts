import { addDays } from './oracle.ts'
import type { Sighting } from './posts.ts'

/** What a sighting adds to the counts of a day, counted naively: post by post, sighting by sighting. */
type Increase = {
  post: Sighting
  brands: readonly string[]
  day: string
  is_first: boolean
  reach: number
  rated_reach: number
  engagements: number
}

const dayOf = (time: string): string => time.slice(0, 10)
const keyOf = (brand: string): string => brand.toLowerCase().replaceAll(' ', '')
/** One sighting a day: the latest. */
const keptOfDay = (rows: readonly Sighting[]): Sighting =>
  rows.reduce((kept, row) => (row.collected_at > kept.collected_at ? row : kept))

const increasesOfPost = (rows: readonly Sighting[]): Increase[] => {
  const days = [...new Set(rows.map(({ collected_at }) => dayOf(collected_at)))].sort()
  const seen = days.map((day) => keptOfDay(rows.filter(({ collected_at }) => dayOf(collected_at) === day)))
  const post = seen[0]!
  const most = { views: 0, rated: 0, likes: 0 }
  return seen.map((row, visit) => {
    const likes = row.views === undefined ? undefined : row.likes
    const reach = Math.max(0, (row.views ?? 0) - most.views)
    const rated_reach = likes === undefined ? 0 : Math.max(0, row.views! - most.rated)
    const engagements = Math.max(0, (likes ?? 0) - most.likes)
    most.views += reach
    most.rated += rated_reach
    most.likes += engagements
    const day = dayOf(visit === 0 ? (row.posted_at ?? row.collected_at) : row.collected_at)
    const brands = [...new Set(post.brand_norms.map(keyOf))]
    return { post, brands, day, is_first: visit === 0, reach, rated_reach, engagements }
  })
}

/** Every increase of the posts: sightings of one platform and id are one post. */
export const increasesOf = (sightings: readonly Sighting[]): Increase[] => {
  const posts = new Map<string, Sighting[]>()
  for (const row of sightings) {
    const key = `${row.platform} ${row.post_id}`
    posts.set(key, [...(posts.get(key) ?? []), row])
  }
  return [...posts.values()].flatMap(increasesOfPost)
}

export type SocialQuery = {
  category: string
  window: '7d' | '30d' | '90d'
  platform: 'all' | 'tiktok' | 'youtube'
  organic_only: boolean
  as_of: string
}

const isCounted = ({ is_first, reach, rated_reach, engagements }: Increase): boolean =>
  is_first || reach + rated_reach + engagements > 0

/** When a hundredth of the posts had been seen. */
const beginOf = (firsts: readonly Increase[]): string =>
  firsts.map(({ day }) => day).sort()[Math.ceil(firsts.length / 100) - 1]!

/** The days that a query covers, or null where its window is not published. */
export const socialDays = (increases: readonly Increase[], query: SocialQuery) => {
  const before = dayOf(query.as_of)
  const seen = increases.filter(
    (increase) =>
      isCounted(increase) &&
      increase.day < before &&
      (query.platform === 'all' || increase.post.platform === query.platform),
  )
  const days = seen.map(({ day }) => day).sort()
  if (days.length === 0 || days.at(-1)! < addDays(before, -91)) return null
  const length = Number.parseInt(query.window, 10)
  const to = addDays(days.at(-1)!, 1)
  const from = addDays(to, -length)
  const hasPosts = seen.some(
    ({ post, day, is_first }) => is_first && post.category_root === query.category && day >= from,
  )
  const firsts = seen.filter(({ is_first }) => is_first)
  const platforms = [...new Set(firsts.map(({ post }) => post.platform))]
  const begins = platforms.map((platform) => beginOf(firsts.filter(({ post }) => post.platform === platform)))
  return hasPosts && begins.some((day) => day <= from)
    ? { from, to, prior_from: addDays(from, -length), prior_to: from }
    : null
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const round2 = (value: number): number => Math.sign(value) * (Math.floor(Math.abs(value) * 100 + 0.5 + 1e-7) / 100) || 0

const statusOf = (now: number, prior: number): string => {
  if (prior === 0) return 'new'
  const growth = (now - prior) / prior
  return growth >= 0.2 ? 'rising' : growth <= -0.2 ? 'falling' : 'flat'
}

/** The rows of an answer about subjects (brands or themes), unranked, by their name. */
export const socialRows = (
  increases: readonly Increase[],
  query: SocialQuery,
  subjectsOf: (increase: Increase) => readonly string[],
) => {
  const days = socialDays(increases, query)
  if (!days) return null
  const { from, to, prior_from } = days
  const scope = increases.filter(
    ({ post, day }) =>
      post.category_root === query.category &&
      (query.platform === 'all' || post.platform === query.platform) &&
      !(query.organic_only && post.is_ad) &&
      day >= prior_from &&
      day < to,
  )
  const own = scope.filter(({ post }) => !post.is_noise)
  const rows = [...new Set(own.flatMap(subjectsOf))].sort().flatMap((subject) => {
    const about = own.filter((increase) => subjectsOf(increase).includes(subject))
    const now = about.filter(({ day }) => day >= from)
    const count = now.filter(({ is_first }) => is_first).length
    const prior = about.filter(({ day, is_first }) => day < from && is_first).length
    const rated = sum(now.map(({ rated_reach }) => rated_reach))
    if (count + prior === 0) return []
    return {
      subject,
      count,
      prior,
      growth_pct: prior === 0 ? null : round2((100 * (count - prior)) / prior),
      reach: sum(now.map(({ reach }) => reach)),
      engagement_rate_pct: rated === 0 ? null : round2((100 * sum(now.map(({ engagements }) => engagements))) / rated),
      status: statusOf(count, prior),
      thin_base: prior < 10,
    }
  })
  const firsts = scope.filter(({ day, is_first }) => is_first && day >= from)
  const posts = firsts.filter(({ post }) => !post.is_noise).length
  const noise_pct = firsts.length === 0 ? null : round2((100 * (firsts.length - posts)) / firsts.length)
  return { days, posts, noise_pct, rows }
}

const TIERS = { new: 0, rising: 1, falling: 1, flat: 2 } as Record<string, number>
type Ranked = { subject: string; count: number; prior: number; status: string }

const movement = ({ count, prior }: Ranked): number =>
  Math.max((count + 10) / (prior + 10), (prior + 10) / (count + 10))

/** New ones first, then movers by shrunken growth, then the rest by volume. */
export const ranked = <R extends Ranked>(rows: readonly R[]): R[] =>
  [...rows].sort(
    (a, b) =>
      TIERS[a.status]! - TIERS[b.status]! ||
      (TIERS[a.status] === 1 ? movement(b) - movement(a) : 0) ||
      b.count - a.count ||
      b.prior - a.prior ||
      (a.subject < b.subject ? -1 : 1),
  )
