import { type AnyQuery, type Engine, readParams } from '../../engine/index.ts'
import type { Admission } from '../http/admission.ts'
import { exampleParams } from './example-params.ts'
import type { LakeFacts } from './lake-facts.ts'

/** The parameters of an address in one order, without the day that pins its answer. */
const unpinned = ({ as_of: _, ...params }: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(params).toSorted(([a], [b]) => a.localeCompare(b))).toString()

/** Whether an answer is the example of its query, as of a day from that of the snapshot on: it is free wherever it is cited. */
export const isExample = (query: AnyQuery, params: Readonly<Record<string, string>>, facts: LakeFacts): boolean =>
  unpinned(params) === unpinned(exampleParams(query, facts)) &&
  (params.as_of === undefined || params.as_of >= facts.published_at.slice(0, 10))

/** Computes an answer in the lane of the pages, which takes at most one connection. */
export const computeAnswer = (
  engine: Engine,
  admission: Admission,
  query: AnyQuery,
  sent: Record<string, string | string[]>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> =>
  admission.enter('pages', signal, async () => {
    const plan = await engine.plan(query, readParams(query, sent))
    return (await engine.run(plan, { signal })) as Record<string, unknown>
  })
