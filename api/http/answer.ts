import { randomUUID } from 'node:crypto'
import { ageOf, observedAtOf } from '../../engine/index.ts'

/** An answer as the bytes to send; freshness is null if nothing was observed. */
export type SerializedAnswer = { body: Buffer; freshness_seconds: number | null }

/**
 * A cached answer: its JSON without the fields that depend on when it is sent. `texts` and the values of `fields`
 * alternate.
 */
export type CachedAnswer = {
  texts: readonly string[]
  fields: readonly AgeField[]
  /** The time of its newest observation; null if there is none. */
  observed_at: string | null
  bytes: number
}

type AgeField = keyof ReturnType<typeof ageOf>
type Aged = {
  meta?: { computed_at: string; freshness_seconds: number | null }
  freshness?: { staleHours: number | null }
}

/** Marks a field to fill in; random, so that no text of an answer can equal it. */
const PLACEHOLDER = randomUUID()
const placeholderOf = (field: AgeField): string => `${PLACEHOLDER}:${field}`
const placeholders = new RegExp(`"${PLACEHOLDER}:(\\w+)"`)

const withPlaceholders = (answer: Aged): Aged => {
  const { meta, freshness } = answer
  if (!meta) return answer
  const age = { computed_at: placeholderOf('computed_at'), freshness_seconds: placeholderOf('freshness_seconds') }
  const open = { ...answer, meta: { ...meta, ...age } } as unknown as Aged
  return freshness
    ? ({ ...open, freshness: { ...freshness, staleHours: placeholderOf('staleHours') } } as unknown as Aged)
    : open
}

/** Converts an answer of the engine for the cache. */
export const toCachedAnswer = (answer: unknown): CachedAnswer => {
  const pieces = JSON.stringify(withPlaceholders(answer as Aged)).split(placeholders)
  const texts = pieces.filter((_, index) => index % 2 === 0)
  return {
    texts,
    fields: pieces.filter((_, index) => index % 2 === 1) as AgeField[],
    observed_at: observedAtOf(answer),
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  }
}

/** The answer as sent at a given time, byte-identical to the output of the command line. */
export const answerAt = ({ texts, fields, observed_at }: CachedAnswer, as_of: string): SerializedAnswer => {
  const age = ageOf(as_of, observed_at)
  const pieces = texts.map((text, index) => {
    const field = fields[index]
    return field ? text + JSON.stringify(age[field]) : text
  })
  return { body: Buffer.from(pieces.join('')), freshness_seconds: age.freshness_seconds }
}
