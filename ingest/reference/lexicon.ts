import { z } from 'zod'
import { type Gpc, groupBy, phraseKey } from '../../engine/index.ts'
import type { TableRow } from './reference-table.ts'

/** A curated phrase: a hit names its type, a miss tells why it has none. */
export type Phrase = {
  phrase: string
  phrase_key: string
  outcome: 'hit' | 'miss'
  gpc_code: string | null
  candidate_codes: readonly string[]
  reason: 'ambiguous' | 'need_type' | null
  note: string | null
}
/** `place` tells where it was read: a file and line, or the lake. */
export type TracedPhrase = Phrase & { place: string }

const code = z.string().regex(/^\d{8}$/, 'expected a GPC code of 8 digits')

const row = z
  .object({
    phrase: z.string('expected a phrase'),
    outcome: z.enum(['hit', 'miss'], 'expected hit or miss'),
    gpc_code: code.nullish(),
    candidate_codes: z.string().nullish(),
    reason: z.enum(['ambiguous', 'need_type'], 'expected ambiguous or need_type').nullish(),
    note: z.string().nullish(),
  })
  .refine(({ outcome, gpc_code }) => outcome === 'miss' || gpc_code, {
    path: ['gpc_code'],
    error: 'a hit needs a code',
  })
  .refine(({ outcome, gpc_code }) => outcome === 'hit' || !gpc_code, {
    path: ['gpc_code'],
    error: 'a miss has no code',
  })
  .refine(({ outcome, reason }) => outcome === 'hit' || reason, { path: ['reason'], error: 'a miss needs a reason' })

/** The phrase of a line, or what is wrong with it. */
export const readPhrase = (file: string, { line, record }: TableRow): TracedPhrase | string => {
  const place = `${file}:${line}`
  const read = row.safeParse(record)
  if (!read.success) {
    const [issue] = read.error.issues
    const field = issue?.path.join('.') ?? ''
    return `${place}: ${field} is ${JSON.stringify(record[field] ?? null)}; ${issue?.message}`
  }
  const { phrase, outcome, gpc_code = null, candidate_codes, reason = null, note = null } = read.data
  const phrase_key = phraseKey(phrase)
  if (phrase_key === '') return `${place}: phrase is ${JSON.stringify(phrase)}; expected a letter or digit`
  const codes = (candidate_codes ?? '').split('|').flatMap((text) => text.trim() || [])
  return { phrase, phrase_key, outcome, gpc_code, candidate_codes: codes, reason, note, place }
}

const faultOf = (gpc: Gpc, { phrase, place }: TracedPhrase, code: string): string[] => {
  if (gpc.node(code)) return []
  const gone = gpc.retired(code)
  const why = gone ? `left the standard after ${gone.release}` : `is not in the release ${gpc.release}`
  return [`${place}: ${JSON.stringify(phrase)} names ${code}, which ${why}`]
}

/** The phrases whose codes the release has not, and the keys that two phrases share. */
export const lexiconFaults = (phrases: readonly TracedPhrase[], gpc: Gpc): string[] => [
  ...[...groupBy(phrases, ({ phrase_key }) => phrase_key)].flatMap(([key, [first, ...others]]) =>
    others.map((other) => `${other.place}: ${JSON.stringify(other.phrase)} is ${first!.place} again, both "${key}"`),
  ),
  ...phrases.flatMap((entry) =>
    [entry.gpc_code, ...entry.candidate_codes].flatMap((code) => (code ? faultOf(gpc, entry, code) : [])),
  ),
]
