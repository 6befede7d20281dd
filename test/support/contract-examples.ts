import { Engine, queryId, readParams } from '../../engine/index.ts'
import { samplePaths } from './http.ts'
import { sampleLake } from './sample.ts'

const MAX_ENTRIES = 2

const cut = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(cut)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner)]))
}

/** Whole months of the sample: a window that cuts months would compare cut months. */
const WHOLE_MONTHS = { from: '2026-08-01', to: '2026-11-01' }

/** When a snapshot was published, which differs from one refresh of the same feeds to the next. */
const publishedAt = /"(published_at|last_updated)":"[^"]*"/g

/** An answer of every query over the sample lake by its id, lists cut to two entries, as the text of a JSON file. */
export const contractExamples = async (): Promise<string> => {
  const { lake, as_of } = await sampleLake()
  const engine = await Engine.open(lake, { as_of, connections: 1 })
  try {
    const examples: Record<string, unknown> = {}
    for (const { query, path } of samplePaths()) {
      const window = 'from' in query.params.shape ? WHOLE_MONTHS : {}
      const given = { ...Object.fromEntries(new URL(path, 'http://localhost').searchParams), ...window }
      const answer = await engine.run(await engine.plan(query, readParams(query, given)))
      const text = JSON.stringify(answer).replace(publishedAt, '"$1":"2026-11-21T00:00:00.000Z"')
      examples[queryId(query)] = cut(JSON.parse(text))
    }
    return `${JSON.stringify(examples, null, 2)}\n`
  } finally {
    engine.close()
  }
}
