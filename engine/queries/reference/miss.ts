import { z } from 'zod'
import type { ActiveGpcNode, Gpc } from '../../catalog/gpc.ts'
import type { Reference } from '../../catalog/reference.ts'
import { field } from '../../contract/field.ts'
import { phraseKey } from '../../contract/text.ts'
import { formOf, gpcForm } from './gpc-object.ts'

/** Why there is no GPC code, and what to send instead; nothing is guessed. */
export const miss = z
  .object({
    reason: field.choice(
      ['unmatched_phrase', 'ambiguous', 'need_type', 'unknown_node', 'unmapped_node', 'unknown_code', 'retired_code'],
      'Why there is no code.',
    ),
    detail: field.text('The reason in a sentence.'),
    hint: field.text('What to do about it.'),
    try: field.list(z.string(), 'Values to send in place of this one, which have a code.'),
    candidates: field.list(gpcForm, 'Codes that may be meant; none is assumed.'),
  })
  .meta({ id: 'GpcMiss', description: 'Why there is no code, and what to send instead. Nothing is guessed.' })
export type Miss = z.output<typeof miss>

const MAX_CANDIDATES = 10
const MAX_SUGGESTIONS = 5

const formsOf = (gpc: Gpc, codes: readonly string[]) =>
  codes
    .flatMap((code) => gpc.node(code) ?? [])
    .slice(0, MAX_CANDIDATES)
    .map(formOf)

/** Phrases of the lexicon that share a word with this one, those for one of the codes first. */
const hitsNear = ({ hits }: Reference, key: string, codes: readonly string[]): string[] => {
  const words = [...new Set(key.split(' '))]
  const namedPhrases = new Set(codes.flatMap((code) => hits.byCode.get(code) ?? []))
  const shared = new Map([...namedPhrases].map((phrase) => [phrase, 0]))
  for (const word of words)
    for (const phrase of hits.byWord.get(word) ?? []) shared.set(phrase, (shared.get(phrase) ?? 0) + 1)
  return [...shared]
    .filter(([{ phrase_key }]) => phrase_key !== key)
    .map(([phrase, count]) => ({ phrase: phrase.phrase, isNamed: namedPhrases.has(phrase), count }))
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.count - a.count || (a.phrase < b.phrase ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ phrase }) => phrase)
}

const CHOOSE_CANDIDATE = 'Send the code of a candidate or a more specific phrase.'

/** The nodes without a descendant among them: a class and its only brick are one type. */
const lowestOf = (nodes: readonly ActiveGpcNode[]) =>
  nodes.filter(({ gpc_id, gpc_last }) => !nodes.some((other) => other.gpc_id > gpc_id && other.gpc_id <= gpc_last))

/** Why a phrase has no code. */
export const phraseMiss = (reference: Reference, phrase: string): Miss => {
  const key = phraseKey(phrase)
  const entry = reference.phrases.get(key)
  const headed = reference.gpc.byTitleHead(phrase)
  const codes = entry ? entry.candidate_codes : headed.map(({ code }) => code)
  const near = { try: hitsNear(reference, key, codes), candidates: formsOf(reference.gpc, codes) }
  if (entry?.reason === 'need_type')
    return {
      reason: 'need_type',
      detail: `"${phrase}" names a department, brand, audience, attribute or promotion, not a type of product.`,
      hint: 'Add the type of product.',
      ...near,
    }
  if (entry?.reason === 'ambiguous' || lowestOf(headed).length > 1)
    return {
      reason: 'ambiguous',
      detail: `Several product types are called "${phrase}".`,
      hint: CHOOSE_CANDIDATE,
      ...near,
    }
  return {
    reason: 'unmatched_phrase',
    detail: `"${phrase}" is not in the lexicon, and nothing is guessed.`,
    hint: 'Send a common name of the product type, without brand, size or adjectives.',
    ...near,
  }
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  negative: 'has no single product type',
  unserved: 'is mapped, but the mapping is unreviewed or withdrawn',
  retired: 'is mapped to a code that was removed from the standard',
  accessory: 'contains accessories, whose type differs from that of the products they belong to',
  deals: 'contains deals of many types',
  brand: 'contains the products of a brand',
  department: 'is not mapped, and the top level below a department does not inherit',
  not_inherited: 'is not mapped, and its nearest mapped ancestor is not an exact or broader match',
  too_far: 'is not mapped, and no ancestor within four steps is',
}

/** Why a browse node has no code; `stop` is null for an id that is in no tree. */
export const nodeMiss = (browse_id: string, stop: string | null): Miss => ({
  reason: stop === null ? 'unknown_node' : 'unmapped_node',
  detail:
    stop === null
      ? `No browse tree has a node ${browse_id}.`
      : `The node ${browse_id} ${STOP_REASONS[stop] ?? 'is not mapped'}.`,
  hint:
    stop === null
      ? 'Check the id, or send the name of the product type as q.'
      : 'Send the name of the product type as q.',
  try: [],
  candidates: [],
})

/** Why the release does not have a code; null if it has it. */
export const codeMiss = ({ gpc }: Reference, code: string): Miss | null => {
  if (gpc.node(code)) return null
  const retired = gpc.retired(code)
  const above = [retired?.class_code, retired?.family_code, retired?.segment_code].find(
    (code) => code && gpc.node(code),
  )
  return {
    reason: retired ? 'retired_code' : 'unknown_code',
    detail: retired
      ? `${code} (${retired.title}) was removed from the standard after ${retired.release}.`
      : `${code} is not in the release ${gpc.release}.`,
    hint: retired
      ? 'Send a code of this release; the candidate is its former ancestor.'
      : 'Check the code: GPC codes have 8 digits.',
    try: above ? [above] : [],
    candidates: formsOf(gpc, above ? [above] : []),
  }
}
