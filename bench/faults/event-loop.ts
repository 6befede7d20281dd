import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Engine, findQuery, readParams } from '../../engine/index.ts'
import { sampleLake } from '../../test/support/sample.ts'
import { AS_OF, ensureLake } from '../lake.ts'
import { type Measured, progress, Tally } from './figure.ts'

const GOAL_MS = 50
const OBSERVATIONS = 10_000_000
/** What a text may have. */
const MAX_LENGTH = 1000
const MAX_WORDS = 50
const PAUSE_MS = 5

type Name = { names: string[]; words: string[] }

/** Words of the lake's product names, so that queries read the longest lists. */
const namesOf = async (engine: Engine): Promise<Name> => {
  const query = findQuery('marketing', 'competitive-landscape')!
  const names: string[] = []
  for (const category of ['coffee', 'laptops', 'grocery', 'electronics']) {
    const plan = await engine.plan(query, readParams(query, { category, limit: '200' })).catch(() => null)
    const answer = plan && ((await engine.run(plan)) as { products: { product_name: string | null }[] })
    names.push(...(answer?.products.flatMap(({ product_name }) => product_name ?? []) ?? []))
  }
  return { names, words: [...new Set(names.join(' ').split(/\s+/))] }
}

const fill = (parts: readonly string[], from: number): string => {
  let text = ''
  for (let i = from; text.length < MAX_LENGTH; i++) text += `${parts[i % parts.length]} `
  return text.slice(0, MAX_LENGTH).split(/\s+/, MAX_WORDS).join(' ').trim()
}
const misspell = (word: string): string => word.slice(0, -1) + (word.endsWith('x') ? 'z' : 'x')

/** The most expensive texts of full length: many words, nearly correct words, words of every product. */
const worst = ({ names, words }: Name): ((i: number) => string)[] => [
  (i) => fill(words, i),
  (i) => fill(words.map(misspell), i),
  (i) =>
    fill(
      words.map((word) => word.slice(0, 2)),
      i,
    ),
  (i) => fill(names, i),
  (i) => fill([...'abcdefghijklmnopqrstuvwxyz0123456789'], i),
  (i) => 'aeiou'[i % 5]!.repeat(MAX_LENGTH),
  (i) => '0'.repeat(MAX_LENGTH - 4) + String(1000 + (i % 9000)),
  (i) => fill(['é', 'ß', '½', '漢字', '\u0301'], i),
]

/** The event loop's longest pause while the most expensive texts of full length are planned. */
export const measureEventLoop = async (rounds: number): Promise<Measured> => {
  const isFull = rounds >= 1000
  const [lake, as_of] = isFull
    ? [await ensureLake(OBSERVATIONS), AS_OF]
    : await sampleLake().then(({ lake, as_of }) => [lake, as_of] as const)
  const engine = await Engine.open(lake, { as_of, warm: true })
  const query = findQuery('shopper', 'best-price')!
  const texts = worst(await namesOf(engine))
  const plan = (q: string) => engine.plan(query, readParams(query, { q })).catch(() => null)
  for (const text of texts) await plan(text(0))
  const tally = new Tally()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const report = progress('texts', rounds)
  let longest = 0
  for (let i = 0; i < rounds; i++) {
    const text = texts[i % texts.length]!(i)
    // A pause is recorded between two ticks of the delay's timer: one before the work, and the one that it delayed.
    delay.reset()
    await sleep(PAUSE_MS)
    const start = performance.now()
    const planning = plan(text)
    // The work before the first await blocks the loop as well.
    const first = performance.now() - start
    await planning
    await sleep(PAUSE_MS)
    const ms = Math.max(first, delay.max / 1e6)
    longest = Math.max(longest, ms)
    tally.count(ms >= GOAL_MS && `over ${GOAL_MS} ms`)
    report(i + 1)
  }
  delay.disable()
  engine.close()
  const size = isFull ? `${OBSERVATIONS / 1e6} million observations` : 'the sample lake'
  return tally.measured(`${longest.toFixed(1)} ms at most, on ${size}`)
}
