import { randomUUID } from 'node:crypto'
import { ageOf } from '../engine/index.ts'

/** An answer ready to send; no freshness where nothing was observed. */
export type Answer = { body: Buffer; freshness_seconds: number | null }

/**
 * An answer as it is kept: its JSON, open where it says how old it is, which is filled in when it is sent. `texts` and
 * the values of `fields` alternate.
 */
export type KeptAnswer = {
  texts: readonly string[]
  fields: readonly AgeField[]
  /** When its newest observation was made; null where nothing was observed. */
  observed_at: string | null
  bytes: number
}

type AgeField = keyof ReturnType<typeof ageOf>
type Aged = {
  meta?: { computed_at: string; freshness_seconds: number | null; price_observed_at_max: string | null }
  freshness?: { staleHours: number | null }
}

/** Marks a place to fill in; random, so that no text of an answer can be taken for one. */
const MARK = randomUUID()
const mark = (field: AgeField): string => `${MARK}:${field}`
const marks = new RegExp(`"${MARK}:(\\w+)"`)

const opened = (answer: Aged): Aged => {
  const { meta, freshness } = answer
  if (!meta) return answer
  const age = { computed_at: mark('computed_at'), freshness_seconds: mark('freshness_seconds') }
  const open = { ...answer, meta: { ...meta, ...age } } as unknown as Aged
  return freshness
    ? ({ ...open, freshness: { ...freshness, staleHours: mark('staleHours') } } as unknown as Aged)
    : open
}

/** An answer of the engine to be kept. */
export const keptAnswer = (answer: unknown): KeptAnswer => {
  const pieces = JSON.stringify(opened(answer as Aged)).split(marks)
  const texts = pieces.filter((_, at) => at % 2 === 0)
  return {
    texts,
    fields: pieces.filter((_, at) => at % 2 === 1) as AgeField[],
    observed_at: (answer as Aged).meta?.price_observed_at_max ?? null,
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  }
}

/** The answer as HTTP sends it at a moment: the very bytes of the command line. */
export const answerAt = ({ texts, fields, observed_at }: KeptAnswer, as_of: string): Answer => {
  const age = ageOf(as_of, observed_at)
  const pieces = texts.map((text, at) => {
    const field = fields[at]
    return field ? text + JSON.stringify(age[field]) : text
  })
  return { body: Buffer.from(pieces.join('')), freshness_seconds: age.freshness_seconds }
}
