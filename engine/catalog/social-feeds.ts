import { readFileSync } from 'node:fs'
import type { Row } from '../duckdb/pool.ts'

/**
 * The days that a platform's feed covers before a moment: the first (by which a hundredth of its posts were posted, since a
 * feed may include a few older ones) and the last, and the last with a post of the department, with the time of that post.
 */
export type PlatformDays = {
  platform: string
  first_day: string
  last_day: string
  department_day: string | null
  department_at: string | null
}

/** The days that the feed of each platform covers before a day, for a department. */
export type SocialFeeds = (category_root: string, before: string) => PlatformDays[]

/** The posts of a platform, a department and a day, noise included; times are RFC 3339. */
type PostDay = { platform: string; category_root: string; day: string; posts: number; last_at: string }
/** A platform's days in their order, each with the running total of posts. */
type PlatformPosts = { days: readonly { day: string; posts_so_far: number }[]; departments: Map<string, PostDay[]> }

const sql = readFileSync(new URL('social-feeds.sql', import.meta.url), 'utf8')

const platformPosts = (rows: readonly PostDay[]): PlatformPosts => {
  const days: { day: string; posts_so_far: number }[] = []
  const departments = new Map<string, PostDay[]>()
  let posts_so_far = 0
  for (const row of rows) {
    posts_so_far += row.posts
    const last = days.at(-1)
    if (last?.day === row.day) last.posts_so_far = posts_so_far
    else days.push({ day: row.day, posts_so_far })
    const posts = departments.get(row.category_root)
    if (posts) posts.push(row)
    else departments.set(row.category_root, [row])
  }
  return { days, departments }
}

/** The days that one platform's feed covers; null if it has none before the moment. */
const platformDays = (
  platform: string,
  { days, departments }: PlatformPosts,
  category_root: string,
  before: string,
): PlatformDays | null => {
  const last = days.findLast(({ day }) => day < before)
  if (!last) return null
  // A hundredth of the posts may be older than the feed.
  const first = days.find(({ posts_so_far }) => 100 * posts_so_far >= last.posts_so_far)
  const departmentDays = (departments.get(category_root) ?? []).filter(({ day }) => day < before)
  return {
    platform,
    first_day: first!.day,
    last_day: last.day,
    department_day: departmentDays.findLast(({ posts }) => posts > 0)?.day ?? null,
    department_at: departmentDays.reduce<string | null>((newest, { last_at }) => maxOf(newest, last_at), null),
  }
}

const maxOf = (a: string | null, b: string): string => (a !== null && a > b ? a : b)

/** Reads the number of posts of each platform, department and day with a post. */
export const loadSocialFeeds = async (reader: {
  rows(sql: string, bindings: Record<string, never>): Promise<Row[]>
}): Promise<SocialFeeds> => {
  const rows = (await reader.rows(sql, {})) as PostDay[]
  const names = [...new Set(rows.map(({ platform }) => platform))]
  const platforms = names.map(
    (name) => [name, platformPosts(rows.filter(({ platform }) => platform === name))] as const,
  )
  return (category_root, before) =>
    platforms.flatMap(([platform, posts]) => platformDays(platform, posts, category_root, before) ?? [])
}
