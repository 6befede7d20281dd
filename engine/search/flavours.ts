import type { Keyword, Lexicon, ParsedCandidate, ParsedQuery } from './parsed-query.ts'

/** What comes in scents and flavours, which German names say after it: `Spülmittel Lavendel`. Also as the end of a compound. Folded. */
const CARRIERS = new RegExp(
  `(?:${[
    'aufstrich balsam bonbon bonbons bouquet brei creme deo drink dusche duschgel (?<!r)eis eistee energy entferner erfrischer gel gummi gummis',
    'joghurt kapseln kaugummi kerze kerzen kissen konfiture leckerli lichter likor limo limonade lotion marmelade maske mittel molke mousse',
    'musli nachfuller nassfutter nektar ol papier parfum peeling pudding pulver quark quetschie radler raumduft reiniger riegel saft schokolade',
    'schorle seife servietten shampoo sirup smoothie snack spray sprizz spulung stein stick tabletten tee tucher weichspuler zahncreme zahnpasta',
    'zusatz',
  ]
    .join(' ')
    .replaceAll(' ', '|')})$`,
)

/** Whether names may say after a German noun what the thing smells or tastes of. */
export const comesInScents = (word: string): boolean => CARRIERS.test(word)

/** If at least this share of the names with a word have it as a scent or flavour, those are no names of the thing. */
const MIN_FLAVOURED = 0.5

/** Whether a name has a noun that the query lacks, and which comes in flavours, before the kind. */
const isFlavoured = ({ name: { lead } }: ParsedCandidate, { words }: Keyword, { has }: ParsedQuery): boolean => {
  const place = lead.findLastIndex((word) => words.has(word))
  return lead.slice(0, Math.max(0, place)).some((word) => comesInScents(word) && !has(word))
}

/**
 * The candidates without those that have the kind only as a scent or flavour, in a language with compounds where most have: lavender is no
 * soap.
 */
export const withoutFlavoured = (
  candidates: readonly ParsedCandidate[],
  kind: Keyword | undefined,
  query: ParsedQuery,
  { vocabulary }: Lexicon,
): readonly ParsedCandidate[] => {
  if (!vocabulary.isCompounding || kind === undefined || comesInScents(kind.word)) return candidates
  const named = candidates.filter(({ name }) => name.lead.some((word) => kind.words.has(word)))
  const flavoured = new Set(named.filter((one) => !one.is_exact_name && isFlavoured(one, kind, query)))
  return flavoured.size < MIN_FLAVOURED * named.length ? candidates : candidates.filter((one) => !flavoured.has(one))
}
