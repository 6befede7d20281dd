import {
  areNounsSmall,
  areOfOneBrand,
  isBrandedAfter,
  isLineOf,
  isOfBrand,
  isOfBrandAlone,
  isOfMaker,
  MIN_LEADING_SHARE,
  withoutNamesakes,
} from './brands.ts'
import { withoutFlavoured } from './flavours.ts'
import { headShareOf, isHeadedBy, kindIn, MIN_OTHER_HEAD_SHARE } from './kind.ts'
import { isAbsence, isModifier } from './modifiers.ts'
import { narrowToAisles, narrowToMeasures, narrowToSize, narrowToUnits, withoutSidelines } from './narrowing.ts'
import { isJoinedToOther, isPartOfOther, withoutBundles, withoutOtherKinds } from './other-kinds.ts'
import { withoutOtherModels } from './other-models.ts'
import {
  countBy,
  type Keyword,
  type Lexicon,
  type ParsedCandidate,
  type ParsedQuery,
  PURPOSE_WEIGHT,
  placesOf,
  weightOf,
} from './parsed-query.ts'
import { plainest } from './plainest.ts'
import { besideHeaded, besideNamed, isOfShelf, namedFirst } from './unheaded.ts'
import { isHeadFirstIn, MIN_HEAD_SHARE } from './vocabulary.ts'

/** If fewer have no other noun before the kind, as `bar` and `sauce`, that kind has varieties and is no other. */
const MIN_SAME_KIND_SHARE = 0.3
/** Words of brands mean the brand if it is that of at least this share of what they find. */
const MIN_BRAND_SHARE = 0.2
/** Words that hardly occur without each other in fewer names may do so by chance. */
const MIN_NAMED = 3
/** So many of the names with the words together on a shelf are meant for the others to be, too. */
const MIN_SHELVED = 0.3
/** Words that a shelf named as asked may have besides. */
const MAX_SHELF_WORDS = 2

/** Whether a word is the head of many of its names, of however few it has. */
const isHeadNoun = (kind: Keyword | undefined, { vocabulary, frequency }: Lexicon): boolean =>
  kind !== undefined &&
  [...kind.words].some(
    (word) => vocabulary.withHead(word).length >= MIN_OTHER_HEAD_SHARE * Math.max(1, frequency(word)),
  )

/** Whether there are names with a word, and hardly any is of it: `oreo`. */
const hasNoHead = (kind: Keyword | undefined, { vocabulary }: Lexicon): boolean => {
  const shares = [...(kind?.words ?? [])].flatMap((word) => vocabulary.headShare(word) ?? [])
  return shares.length > 0 && Math.max(...shares) < MIN_HEAD_SHARE
}

/** Whether the head noun is followed by a word that the query has before it: milk chocolate is no chocolate milk. */
const isReversed = (
  { name: { lead }, heads }: ParsedCandidate,
  { keywords }: ParsedQuery,
  kind: Keyword,
  { vocabulary: { isHeadFirst, headShare } }: Lexicon,
): boolean => {
  const next = lead[lead.indexOf(heads[0]!) + 1]
  if (!lead.includes(heads[0]!) || next === undefined || isModifier(next)) return false
  // Where names put the kind first, a word after it that no name is of is a brand: `Ketchup Heinz`.
  if (isHeadFirst && (headShare(next) ?? 0) < MIN_HEAD_SHARE) return false
  return keywords.slice(0, keywords.indexOf(kind)).some(({ words }) => words.has(next))
}

/** The words of the query that a candidate has in its name or brand, numbers apart. */
const namedIn = (candidate: ParsedCandidate, { keywords }: ParsedQuery): readonly Keyword[] =>
  keywords.filter((one) => !one.isNumber && weightOf(candidate, one) > 0)

/**
 * Whether the words lead the name together, as brands, lines and models do: only modifiers and the brand stand before them. If
 * none of them is the noun of a kind, others may stand between.
 */
const isLeading = (candidate: ParsedCandidate, query: ParsedQuery, lexicon: Lexicon): boolean => {
  const { name } = candidate
  const { vocabulary } = lexicon
  const words = namedIn(candidate, query)
  if (isOfBrand(candidate, words)) return true
  const places = placesOf(candidate, query).filter((place) => place >= 0)
  if (words.length === 0 || places.length === 0 || words.some((one) => weightOf(candidate, one) < 1)) return false
  const first = Math.min(...places)
  if (isAbsence(name.order[Math.max(...places) + 1] ?? '')) return false
  const before = name.order.slice(0, first).filter((word) => !isModifier(word) && !name.brand.has(word))
  const [brand] = name.brand
  // A name may leave the brand out: `Zero` is the Coca-Cola Zero of Coca-Cola.
  const isBranded = brand !== undefined && !name.order.includes(brand) && query.has(brand)
  const isKind = words.some((one) => headShareOf(one, lexicon) >= MIN_HEAD_SHARE)
  // The adjective of a kind before another noun is no name: `Fresh Mint Gum`.
  const isOfOther =
    isKind &&
    candidate.heads.some((head) => !query.has(head) && (vocabulary.headShare(head) ?? 0) >= MIN_OTHER_HEAD_SHARE)
  const isNamed = [name.order[first], name.order[first + 1]].some(
    (word) =>
      word !== undefined &&
      query.has(word) &&
      ((vocabulary.isName(word) && !(isOfOther && isModifier(word))) || name.brand.has(word)),
  )
  if (!(isNamed || isBranded) || (before.length > 0 && !isHeadFirstIn(name, vocabulary))) return false
  return !isKind || Math.max(...places) - first <= places.length + 1
}

/** Whether the words, one of which is a number, stand together in the name: a model. */
const isTogether = (candidate: ParsedCandidate, query: ParsedQuery): boolean => {
  const places = placesOf(candidate, query)
  return places.every((place) => place >= 0) && Math.max(...places) - Math.min(...places) <= places.length
}

/** Whether a candidate is on a shelf whose name has all words of the query, and at most `others` more, none of which says what is absent there. */
const isOnNamedShelf = (
  { shelf }: ParsedCandidate,
  { keywords, has }: ParsedQuery,
  { shelfNames }: Lexicon,
  others: number,
): boolean =>
  shelf !== undefined &&
  shelfNames(shelf).some(
    (words) =>
      words.length > 0 &&
      words.length <= keywords.length + others &&
      words.every((word) => has(word) || !isAbsence(word)) &&
      keywords.every((one) => words.some((word) => one.words.has(word))),
  )

/**
 * Whether the likeliest kind is a part of a name: hardly any name has it as its head noun, and it stands with a number or hardly
 * occurs without the other words, as in `red bull`.
 */
const isPartOfName = (
  kind: Keyword,
  { keywords }: ParsedQuery,
  candidates: readonly ParsedCandidate[],
  lexicon: Lexicon,
): boolean =>
  keywords.length > 1 &&
  [...kind.words].some((word) => lexicon.vocabulary.headShare(word) !== null) &&
  headShareOf(kind, lexicon) < MIN_HEAD_SHARE &&
  (keywords.some(({ isNumber }) => isNumber) || candidates.length >= MIN_LEADING_SHARE * lexicon.frequency(kind.word))

/**
 * The candidates with all words together in their leading phrase, on a shelf of one kind where many such are meant: what else a name
 * there says is a variety, as in `Razer Basilisk Ultimate`.
 */
const alikeOnShelves = (
  meant: readonly ParsedCandidate[],
  candidates: readonly ParsedCandidate[],
  query: ParsedQuery,
  { shelfNames }: Lexicon,
): readonly ParsedCandidate[] => {
  if (query.keywords.length < 2) return []
  const isOfOneKind = ({ shelf }: ParsedCandidate): boolean =>
    shelf !== undefined && shelf.category_id === shelf.category_last && shelfNames(shelf)[0]!.length > 0
  const shelfOf = ({ listing }: ParsedCandidate) => listing.category_id
  const alreadyMeant = new Set(meant)
  const alike = candidates.filter(
    (one) =>
      one.aisle !== '' &&
      isOfOneKind(one) &&
      isTogether(one, query) &&
      query.keywords.every((word) => word.isNumber || weightOf(one, word) === 1),
  )
  const all = countBy(alike.map(shelfOf))
  const counts = countBy(alike.filter((one) => alreadyMeant.has(one)).map(shelfOf))
  const least = (shelf: number): number => Math.max(MIN_NAMED, MIN_SHELVED * all.get(shelf)!)
  return alike.filter((one) => (counts.get(shelfOf(one)) ?? 0) >= least(shelfOf(one)))
}

type Meant = {
  /** The candidates whose head noun is the kind. */
  headed: readonly ParsedCandidate[]
  /** Those that have the words as their brand, line, model or shelf. */
  others: readonly ParsedCandidate[]
}

/** Whether the phrase that names a candidate is the query, word for word. */
const isNamedAs = ({ name: { lead } }: ParsedCandidate, { keywords }: ParsedQuery): boolean =>
  lead.length === keywords.length && keywords.every(({ words }, place) => words.has(lead[place]!))

/** The candidates that are what was asked for, rather than made of it, for it or of its flavour. */
const candidatesMeant = (
  query: ParsedQuery,
  kind: Keyword | undefined,
  candidates: readonly ParsedCandidate[],
  lexicon: Lexicon,
): Meant => {
  const { keywords } = query
  const onShelves = [0, MAX_SHELF_WORDS].map((others) =>
    candidates.filter((candidate) => isOnNamedShelf(candidate, query, lexicon, others)),
  )
  const onShelf = onShelves.find(({ length }) => length > 0) ?? []
  const nameMatches = candidates.filter((candidate) => namedIn(candidate, query).length > 0)
  const ofNoun = candidates.filter(
    (candidate) =>
      kind !== undefined &&
      (isHeadedBy(candidate, kind) || isNamedAs(candidate, query)) &&
      !isReversed(candidate, query, kind, lexicon) &&
      !isPartOfOther(candidate, kind, query, lexicon) &&
      !isJoinedToOther(candidate, kind, query),
  )
  // A name that is the query, whose last word is the head noun of none: `Chablis Premier Cru`.
  const isOnlyNamed = kind !== undefined && !ofNoun.some((one) => isHeadedBy(one, kind))
  const alike = isOnlyNamed ? [...new Set([...ofNoun, ...besideNamed(ofNoun, query, candidates)])] : ofNoun
  const headed = withoutBundles(withoutNamesakes(alike, kind), kind, query, lexicon)
  const ofBrand = candidates.filter((one) => isOfBrandAlone(one, query))
  // What others make for Samsung has its name, too.
  const least = keywords.every(({ word }) => lexicon.vocabulary.isBrand(word)) ? MIN_BRAND_SHARE : MIN_LEADING_SHARE
  if (ofBrand.length > 0 && ofBrand.length >= least * candidates.length) return { headed: [], others: ofBrand }
  const ofShelf = candidates.filter((candidate) => kind !== undefined && isOfShelf(candidate, kind, query, lexicon))
  const shelved = 2 * headed.length < onShelf.length ? onShelf : ofShelf
  const isKind = kind !== undefined && !isPartOfName(kind, query, candidates, lexicon)
  if ((headed.length > 0 && isKind) || shelved.length > 0)
    return {
      headed,
      others: [...shelved, ...(kind === undefined ? [] : namedFirst(kind, candidates, lexicon, headed.length > 0))],
    }
  const leading = nameMatches.filter((candidate) => isLeading(candidate, query, lexicon))
  const isLine = leading.length >= MIN_LEADING_SHARE * nameMatches.length && areOfOneBrand(leading)
  if (leading.length > 0 && isLine) return { headed, others: leading }
  const isLikelyKind = (one: Keyword) => headShareOf(one, lexicon) >= MIN_OTHER_HEAD_SHARE
  const branded =
    lexicon.vocabulary.isHeadFirst && areNounsSmall(candidates)
      ? nameMatches.filter((one) => isBrandedAfter(one, query, lexicon, isLikelyKind))
      : []
  const whole = nameMatches.filter((one) => keywords.every((word) => weightOf(one, word) > 0))
  if (headed.length === 0 && branded.length > 0 && branded.length >= MIN_LEADING_SHARE * whole.length)
    return { headed, others: branded }
  const isNoun = !hasNoHead(kind, lexicon)
  const ofLine = candidates.filter((one) => isOfMaker(one, query) || (!isNoun && isLineOf(one, query)))
  if (ofLine.length > 0 && areOfOneBrand(ofLine)) return { headed, others: ofLine }
  // A line of one brand, whatever stands before it: `Honey Nut Cheerios Breakfast Cereal`.
  const ofWord = isNoun || keywords.length > 1 ? [] : nameMatches.filter((one) => weightOf(one, kind!) === 1)
  const isLineWord = ofWord.some(({ name, listing }) => listing.brand !== null && kind!.words.has(name.lead[0] ?? ''))
  if (isLineWord && areOfOneBrand(ofWord) && ofWord.filter(({ listing }) => listing.brand !== null).length >= MIN_NAMED)
    return { headed, others: ofWord }
  const isOneName =
    keywords.length > 1 &&
    keywords.every(({ isNumber }) => !isNumber) &&
    nameMatches.length >= MIN_NAMED &&
    nameMatches.every((candidate) => namedIn(candidate, query).length === keywords.length) &&
    2 * nameMatches.filter((one) => weightOf(one, keywords[0]!) > PURPOSE_WEIGHT).length >= nameMatches.length &&
    keywords.every(({ word }) => candidates.length >= MIN_LEADING_SHARE * lexicon.frequency(word))
  if (isOneName) return { headed, others: nameMatches }
  if (keywords.some(({ isNumber }) => isNumber))
    return { headed, others: nameMatches.filter((candidate) => isTogether(candidate, query)) }
  return { headed, others: besideHeaded(headed, query, kind, candidates, lexicon) }
}

/** What a query asks for: `sameKind` may differ in aisle and size, `intended` fits these too, `plain` says nothing else. */
export type Intent = {
  kind: string | undefined
  sameKind: ReadonlySet<ParsedCandidate>
  intended: ReadonlySet<ParsedCandidate>
  plain: ReadonlySet<ParsedCandidate>
}

/** Whether a candidate has every word in its name or in the name of a shelf of one kind, rather than in one of several kinds. */
const hasWords = (candidate: ParsedCandidate, { keywords }: ParsedQuery, { shelfNames }: Lexicon): boolean => {
  const shelves = candidate.shelf === undefined ? [] : shelfNames(candidate.shelf).flat()
  return keywords.every((one) => weightOf(candidate, one) > 0 || shelves.some((word) => one.words.has(word)))
}

/** Infers what a query asks for, and which candidates are it; none if the words are only parts of what others are. */
export const inferIntent = (query: ParsedQuery, found: readonly ParsedCandidate[], lexicon: Lexicon): Intent => {
  const models = withoutOtherModels(found, query)
  const kind = kindIn(query, models, lexicon)
  const candidates = withoutFlavoured(models, kind, query, lexicon)
  const { headed, others } = candidatesMeant(query, kind, candidates, lexicon)
  const { same, varieties } = withoutOtherKinds(headed, kind, query, lexicon)
  const isGeneric =
    same.length < MIN_SAME_KIND_SHARE * headed.length && others.length === 0 && isHeadNoun(kind, lexicon)
  const ofKind = isGeneric ? headed : [...same, ...varieties]
  const named = [...withoutSidelines(ofKind, lexicon.vocabulary), ...others]
  const ofThing = [...new Set([...named, ...alikeOnShelves(named, candidates, query, lexicon)])]
  // What stands before the last word of a model is no other kind: `MSI MAG B550 TOMAHAWK`.
  const isModel = ofThing.length === 0 && query.keywords.some(({ isNumber }) => isNumber)
  const meant = isModel ? headed.filter((candidate) => isTogether(candidate, query)) : ofThing
  const withWords = meant.filter((one) => hasWords(one, query, lexicon))
  const sameKind = withWords.length > 0 ? withWords : meant
  const exact = candidates.filter(({ is_exact_name }) => is_exact_name)
  const inAisles = narrowToAisles(narrowToMeasures(query.dropped, sameKind))
  const ofSize = narrowToSize(query.has_size, query.has_size ? inAisles : narrowToUnits(inAisles))
  const intended = [...new Set([...exact, ...ofSize])]
  const plain = intended.filter((one) => isGeneric || !varieties.includes(one))
  return {
    kind: kind?.word,
    sameKind: new Set(sameKind),
    intended: new Set(intended),
    plain: new Set(plainest(plain.length > 0 ? plain : intended, query, lexicon.vocabulary)),
  }
}
