import { z } from 'zod'
import { type Gpc, groupBy, phraseKey } from '../../engine/index.ts'
import { type DelimitedLine, lineFault } from './delimited.ts'

const OUTCOMES = ['hit', 'miss'] as const
const REASONS = ['ambiguous', 'need_type'] as const

export const phraseRow = z.strictObject({
  phrase: z.string(),
  phrase_key: z.string(),
  outcome: z.enum(OUTCOMES),
  gpc_code: z.string().nullable(),
  candidate_codes: z.array(z.string()).readonly(),
  reason: z.enum(REASONS).nullable(),
  note: z.string().nullable(),
})
/** A curated phrase: a hit has the code of its type, a miss the reason why it has none. */
export type LexiconPhrase = z.output<typeof phraseRow>
/** With the file and line it was read from, or its snapshot. */
export type LexiconLine = LexiconPhrase & { place: string }

const fields = z
  .object({
    phrase: z.string('expected a phrase'),
    outcome: z.enum(OUTCOMES, 'expected hit or miss'),
    gpc_code: z
      .string()
      .regex(/^\d{8}$/, 'expected a GPC code of 8 digits')
      .nullish(),
    candidate_codes: z.string().nullish(),
    reason: z.enum(REASONS, 'expected ambiguous or need_type').nullish(),
    note: z.string().nullish(),
  })
  .refine(({ outcome, gpc_code }) => outcome === 'miss' || gpc_code, {
    path: ['gpc_code'],
    error: 'expected the code of a hit',
  })
  .refine(({ outcome, gpc_code }) => outcome === 'hit' || !gpc_code, {
    path: ['gpc_code'],
    error: 'expected no code for a miss',
  })
  .refine(({ outcome, reason }) => outcome === 'hit' || reason, {
    path: ['reason'],
    error: 'expected the reason of a miss',
  })

/** The phrase of a line, or what is wrong with it. */
export const readPhrase = (file: string, line: DelimitedLine): LexiconLine | string => {
  const place = `${file}:${line.number}`
  const read = fields.safeParse(line.record)
  if (!read.success) return lineFault(file, line, read.error)
  const { phrase, outcome, gpc_code = null, candidate_codes, reason = null, note = null } = read.data
  const phrase_key = phraseKey(phrase)
  if (phrase_key === '') return `${place}: phrase: expected a letter or digit, got ${JSON.stringify(phrase)}`
  const codes = (candidate_codes ?? '').split('|').flatMap((text) => text.trim() || [])
  return { phrase, phrase_key, outcome, gpc_code, candidate_codes: codes, reason, note, place }
}

const codeFaults = (gpc: Gpc, { phrase, place }: LexiconLine, code: string): string[] => {
  if (gpc.node(code)) return []
  const gone = gpc.retired(code)
  const why = gone ? `left the standard after release ${gone.release}` : `is not in release ${gpc.release}`
  return [`${place}: ${JSON.stringify(phrase)} has the code ${code}, which ${why}`]
}

/** Phrases with the same key, and codes that the release does not have. */
export const lexiconFaults = (phrases: readonly LexiconLine[], gpc: Gpc): string[] => [
  ...[...groupBy(phrases, ({ phrase_key }) => phrase_key)].flatMap(([key, [first, ...others]]) =>
    others.map(
      ({ place, phrase }) =>
        `${place}: ${JSON.stringify(phrase)} repeats ${first!.place}: both are read as ${JSON.stringify(key)}`,
    ),
  ),
  ...phrases.flatMap((entry) =>
    [entry.gpc_code, ...entry.candidate_codes].flatMap((code) => (code ? codeFaults(gpc, entry, code) : [])),
  ),
]
