import { readFileSync } from 'node:fs'
import { type AnyQuery, queryId } from '../../engine/index.ts'

/** Answers by query, made by `npm run examples` from the sample lake. */
const examples: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('openapi-examples.json', import.meta.url), 'utf8'),
)

/** An example answer of a query, its lists cut to two entries. */
export const exampleOf = (query: AnyQuery): unknown => examples[queryId(query)]
