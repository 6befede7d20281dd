import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bestPrice, Engine, EngineError, readParams } from '../engine/library.ts'
import type { Answer } from '../engine/query.ts'
import { type RefreshOptions, refresh } from '../ingest/refresh.ts'
import { openDuckDB } from './duckdb.ts'
import { known, labelled } from './entities-labelled.ts'

/** Catalogues by the moment that their questions are asked for: each is of another year. */
const CATALOGUES = {
  us: {
    country: 'us',
    as_of: '2025-04-15',
    sources: ['us_aldi_catalog', 'us_tj_monthly', 'us_kroger_upc', 'us_pcpp_monthly'],
  },
  ca: { country: 'ca', as_of: '2025-04-15', sources: ['ca_hammer_items', 'ca_hammer_promo'] },
  bc: { country: 'ca', as_of: '2025-12-31', sources: ['ca_bcl_pricelist'] },
} as const
type CatalogueName = keyof typeof CATALOGUES

/** A year, so that one date covers feeds of several months. */
const DAYS = '365'

/** A question and how the titles of what it means are known: by a pattern that they match, and one that they do not. */
type Question = { catalogue: CatalogueName; q: string; type: string; is: RegExp; is_not: RegExp | null }

const readQuestions = (): Question[] =>
  readFileSync(new URL('./best-price-questions.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [catalogue, q = '', type = '', is = '', is_not = ''] = line.split('\t')
      return {
        catalogue: catalogue as CatalogueName,
        q,
        type,
        is: new RegExp(is, 'i'),
        is_not: is_not === '' ? null : new RegExp(is_not, 'i'),
      }
    })

const fold = (title: string): string => title.normalize('NFKD').replace(/\p{M}/gu, '')

const isRight = ({ is, is_not }: Question, title: string | null): boolean => {
  const text = fold(title ?? '')
  return is.test(text) && !is_not?.test(text)
}

const mappingOf = (source: string): string => fileURLToPath(new URL(`../data/mappings/${source}.json`, import.meta.url))

/** A refresh that is held to no limit: each source is of its own time, and leaves the others stale. */
const add = (lake: string, options: Omit<RefreshOptions, 'lake'>) =>
  refresh({ ...options, lake, max_drop: 1, max_quarantine: 1 })

/** The electronics of two shops, a labelled set for matching, as feeds of one day. */
const addElectronics = async (lake: string, folder: string): Promise<void> => {
  const feeds = join(folder, 'electronics')
  await mkdir(join(feeds, 'price_observations'), { recursive: true })
  const database = await openDuckDB()
  const set = labelled.find(({ name }) => name === 'er_walmart_amazon')!
  await database.run(`COPY (
      SELECT * EXCLUDE (price), 'us' AS country, '2025-04-01' AS observed_at, printf('%.2f', price::DOUBLE) AS price
      FROM (${set.catalogue}) WHERE price::DOUBLE > 0
    ) TO '${feeds}/price_observations/offers.parquet' (FORMAT parquet)`)
  database.closeSync()
  await add(lake, { feeds })
}

type Measured = { question: Question; top: { before: boolean; after: boolean }; rows: { before: Share; after: Share } }
type Share = { right: number; all: number }
type Offer = { listing_id: number; product_name: string | null; price: number; in_stock: boolean | null }

/** What best-price was before it knew what is meant: the cheapest of all that has the words. */
const cheapest = (offers: readonly Offer[]): Offer =>
  offers.toSorted(
    (a, b) =>
      Number(b.in_stock ?? false) - Number(a.in_stock ?? false) || a.price - b.price || a.listing_id - b.listing_id,
  )[0]!

const refused = (error: unknown): null => {
  if (error instanceof EngineError) return null
  throw error
}

const ask = async (engine: Engine, question: Question): Promise<Measured | null> => {
  const { country, as_of } = CATALOGUES[question.catalogue]
  const params = readParams(bestPrice, { q: question.q, country, days: DAYS, as_of })
  const plan = await engine.plan(bestPrice, params).catch(refused)
  const answer = plan && ((await engine.run(plan).catch(refused)) as Answer<typeof bestPrice> | null)
  if (plan === null || answer === null) return null
  const found = (await engine.rows(bestPrice.sql, plan.bindings)) as Offer[]
  const { left_out } = plan.context as { left_out: readonly { listing_id: number }[] }
  const kept = found.filter(({ listing_id }) => !left_out.some((other) => other.listing_id === listing_id))
  const shareOf = (offers: readonly Offer[]): Share => ({
    right: offers.filter(({ product_name }) => isRight(question, product_name)).length,
    all: offers.length,
  })
  const wrong = kept.filter(({ product_name }) => !isRight(question, product_name))
  if (wrong.length > 0 && process.env.SHOWN)
    console.error(
      question.catalogue,
      question.q,
      [...new Set(wrong.map(({ product_name }) => product_name))].slice(0, 6),
    )
  return {
    question,
    top: {
      before: isRight(question, cheapest(found).product_name),
      after: isRight(question, answer.best_price.product_name),
    },
    rows: { before: shareOf(found), after: shareOf(kept) },
  }
}

const percent = (some: number, all: number): number => (100 * some) / all

const summaryOf = (name: string, questions: number, measured: readonly Measured[]) => {
  const top = (when: 'before' | 'after') => percent(measured.filter((one) => one.top[when]).length, measured.length)
  const total = (when: 'before' | 'after', of: keyof Share) =>
    measured.reduce((sum, { rows }) => sum + rows[when][of], 0)
  return {
    catalogue: name,
    questions,
    answered: measured.length,
    'top of the right type before, %': top('before'),
    'after, %': top('after'),
    'rows of the right type before, %': percent(total('before', 'right'), total('before', 'all')),
    'rows after, %': percent(total('after', 'right'), total('after', 'all')),
    'right rows kept, %': percent(total('after', 'right'), total('before', 'right')),
  }
}

/** Whether best-price answers for what was meant: questions about real groceries, drinks and electronics. */
export const benchBestPrice = async () => {
  const sources = Object.values(CATALOGUES).flatMap((catalogue) => [...catalogue.sources])
  const missing = [...sources, 'er_walmart_amazon'].filter((source) => !existsSync(join(known, source)))
  if (missing.length > 0) {
    console.error(`skipped: there is no ${missing.join(', ')} in ${known}`)
    return []
  }
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-bench-best-price-'))
  const lake = join(folder, 'lake')
  try {
    for (const source of sources) await add(lake, { feeds: join(known, source), mappings: [mappingOf(source)] })
    await addElectronics(lake, folder)
    return await measure(lake)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const measure = async (lake: string) => {
  const engine = await Engine.open(lake)
  const questions = readQuestions()
  const measured: Measured[] = []
  for (const question of questions) {
    const one = await ask(engine, question)
    if (one) measured.push(one)
  }
  engine.close()
  const named = (name: string) => (of: { catalogue: string }) => name === 'all' || of.catalogue === name
  return [...Object.keys(CATALOGUES), 'all'].map((name) =>
    summaryOf(
      name,
      questions.filter(named(name)).length,
      measured.filter(({ question }) => named(name)(question)),
    ),
  )
}
