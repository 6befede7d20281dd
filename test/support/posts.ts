import fc from 'fast-check'
import { addDays } from './oracle.ts'
import { WORLD_END } from './worlds.ts'

/** A post as it was seen once; `seen` at several times it is several rows of a feed. */
export type Sighting = {
  platform: 'tiktok' | 'youtube'
  post_id: string
  posted_at: string | undefined
  collected_at: string
  category_root: string
  brand_norms: readonly string[]
  gpc_codes: readonly string[]
  theme: string | undefined
  views: number | undefined
  likes: number | undefined
  is_ad: boolean | undefined
  is_noise: boolean
}

/** A post of the department most tests use, collected an hour after it was posted at noon. */
export const sighting = (post_id: string, day: string, said: Partial<Sighting> = {}): Sighting => ({
  platform: 'youtube',
  post_id,
  posted_at: `${day}T12:00:00Z`,
  collected_at: `${day}T13:00:00Z`,
  category_root: 'grocery',
  brand_norms: [],
  gpc_codes: [],
  theme: undefined,
  views: 100,
  likes: undefined,
  is_ad: false,
  is_noise: false,
  ...said,
})

/** So many posts alike, each with an id of its own. */
export const postsOn = (day: string, count: number, said: Partial<Sighting> = {}): Sighting[] => {
  const kind = Object.values(said).flat().join('').replace(/\W/g, '')
  return Array.from({ length: count }, (_, i) => sighting(`${day}-${kind}-${i}`, day, said))
}

const FIRST_DAY = '2026-07-20'
const DAYS = 124

const visit = fc.record({
  after_days: fc.nat(20),
  second: fc.nat(86_399),
  views: fc.option(fc.nat(5000), { freq: 9, nil: undefined }),
  likes: fc.option(fc.nat(200), { freq: 3, nil: undefined }),
  theme: fc.constantFrom('cold brew', 'latte art', undefined),
  is_ad: fc.constantFrom(false, false, true, undefined),
})

const post = fc.record({
  number: fc.nat(400),
  platform: fc.constantFrom<Sighting['platform'][]>('tiktok', 'tiktok', 'youtube'),
  day: fc.nat(DAYS - 1),
  second: fc.nat(86_399),
  is_dated: fc.boolean(),
  category_root: fc.constantFrom('grocery', 'grocery', 'garden'),
  brand_norms: fc.subarray(['acme', 'loreal', 'tefal', 'Nobody Knows'], { maxLength: 3 }),
  gpc_codes: fc.subarray(['10000115', '10008178']),
  is_noise: fc.constantFrom(false, false, false, true),
  visits: fc.array(visit, { minLength: 1, maxLength: 4 }),
})

type Post = typeof post extends fc.Arbitrary<infer P> ? P : never

const timeOf = (day: string, second: number): string =>
  new Date(Date.parse(day) + second * 1000).toISOString().replace('.000Z', 'Z')

const sightingsOf = ({ number, day, second, is_dated, visits, ...said }: Post): Sighting[] => {
  const posted = addDays(FIRST_DAY, day)
  return visits.map(({ after_days, second: later, ...seen }, i) => ({
    post_id: `p${number}`,
    posted_at: is_dated ? timeOf(posted, second) : undefined,
    collected_at: timeOf(addDays(posted, i === 0 ? 1 : after_days + 1), later),
    ...said,
    ...seen,
  }))
}

/** Posts of two departments over the days of the random worlds: some are seen again, some ids occur twice. */
export const randomPosts: fc.Arbitrary<Sighting[]> = fc
  .array(post, { minLength: 120, maxLength: 300, size: 'max' })
  .map((posts) => posts.flatMap(sightingsOf).filter(({ collected_at }) => collected_at < WORLD_END))

/** The posts of a random world, the same for the same seed. */
export const postsOf = (seed: number): Sighting[] => fc.sample(randomPosts, { seed, numRuns: 1 })[0]!
