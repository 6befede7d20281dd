import { z } from 'zod'
import type { ActiveGpcNode, Gpc } from '../../catalog/gpc.ts'
import type { Reference } from '../../catalog/reference.ts'
import { phraseKey } from '../../catalog/text.ts'
import { field } from '../../field.ts'
import { formOf, gpcForm } from './gpc-object.ts'

/** Why there is no GPC code: never a nearest guess, but what could be asked instead. */
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

const MOST_CANDIDATES = 10
const MOST_TRIED = 5

const formsOf = (gpc: Gpc, codes: readonly string[]) =>
  codes
    .flatMap((code) => gpc.node(code) ?? [])
    .slice(0, MOST_CANDIDATES)
    .map(formOf)

/** Curated phrases that hold a word of this one, those that name one of the codes first. */
const hitsNear = ({ hits }: Reference, key: string, codes: readonly string[]): string[] => {
  const words = [...new Set(key.split(' '))]
  const named = new Set(codes.flatMap((code) => hits.byCode.get(code) ?? []))
  const shared = new Map([...named].map((phrase) => [phrase, 0]))
  for (const word of words)
    for (const phrase of hits.byWord.get(word) ?? []) shared.set(phrase, (shared.get(phrase) ?? 0) + 1)
  return [...shared]
    .filter(([{ phrase_key }]) => phrase_key !== key)
    .map(([phrase, count]) => ({ phrase: phrase.phrase, isNamed: named.has(phrase), count }))
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.count - a.count || (a.phrase < b.phrase ? -1 : 1))
    .slice(0, MOST_TRIED)
    .map(({ phrase }) => phrase)
}

const PICK = 'Ask for one of the candidates by its code, or for a narrower phrase.'

/** Those without another below them: a class and its only brick are one type. */
const lowestOf = (nodes: readonly ActiveGpcNode[]) =>
  nodes.filter(({ gpc_id, gpc_last }) => !nodes.some((other) => other.gpc_id > gpc_id && other.gpc_id <= gpc_last))

/** Why a phrase has no code. */
export const phraseMiss = (reference: Reference, phrase: string): Miss => {
  const key = phraseKey(phrase)
  const known = reference.phrases.get(key)
  const headed = reference.gpc.headed(phrase)
  const codes = known ? known.candidate_codes : headed.map(({ code }) => code)
  const found = { try: hitsNear(reference, key, codes), candidates: formsOf(reference.gpc, codes) }
  if (known?.reason === 'need_type')
    return {
      reason: 'need_type',
      detail: `"${phrase}" names a department, brand, audience, attribute or promotion, not a type of product.`,
      hint: 'Add the type of product that is meant.',
      ...found,
    }
  if (known?.reason === 'ambiguous' || lowestOf(headed).length > 1)
    return { reason: 'ambiguous', detail: `Several product types are called "${phrase}".`, hint: PICK, ...found }
  return {
    reason: 'unmatched_phrase',
    detail: `"${phrase}" is no phrase of the lexicon, and nothing is guessed.`,
    hint: 'Ask for a common name of the product type, without brand, size or adjectives.',
    ...found,
  }
}

const WHY: Readonly<Record<string, string>> = {
  negative: 'is known to have no single product type',
  unserved: 'is mapped, but the mapping is not reviewed or no longer stands',
  retired: 'is mapped to a code that has left the standard',
  accessory: 'holds accessories, which are not of the type of what they belong to',
  deals: 'holds deals of many types',
  brand: 'holds the products of a brand',
  department: 'is not mapped, and what stands right below a department inherits nothing',
  not_inherited: 'is not mapped, and its nearest mapped ancestor is no exact or broader match',
  too_far: 'is not mapped, and no ancestor within four steps is',
}

/** Why a browse node has no code; `stop` is null for an id that is in no tree. */
export const nodeMiss = (browse_id: string, stop: string | null): Miss => ({
  reason: stop === null ? 'unknown_node' : 'unmapped_node',
  detail:
    stop === null ? `No browse tree holds ${browse_id}.` : `The node ${browse_id} ${WHY[stop] ?? 'is not mapped'}.`,
  hint:
    stop === null ? 'Check the id, or ask for the product type by name (q).' : 'Ask for the product type by name (q).',
  try: [],
  candidates: [],
})

/** Why a code is no node of the release; null where it is one. */
export const codeMiss = ({ gpc }: Reference, code: string): Miss | null => {
  if (gpc.node(code)) return null
  const gone = gpc.retired(code)
  const above = [gone?.class_code, gone?.family_code, gone?.segment_code].find((code) => code && gpc.node(code))
  return {
    reason: gone ? 'retired_code' : 'unknown_code',
    detail: gone
      ? `${code} (${gone.title}) left the standard after ${gone.release}.`
      : `${code} is not in the release ${gpc.release}.`,
    hint: gone ? 'Ask for a code of this release; the candidate stood above it.' : 'A GPC code has 8 digits.',
    try: above ? [above] : [],
    candidates: formsOf(gpc, above ? [above] : []),
  }
}
