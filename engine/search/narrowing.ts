import { type Candidate, countBy, type ParsedCandidate } from './parsed-query.ts'
import { searchUnit } from './units.ts'
import { MIN_HEAD_SHARE, type Vocabulary } from './vocabulary.ts'

/** At a retailer with most listings of a kind in one aisle, an aisle with a smaller share has something else. */
const [MIN_MAIN_AISLE, MIN_AISLE] = [0.6, 0.2]
/** Of fewer listings nothing is concluded. */
const MIN_LISTINGS = 5

/**
 * The candidates without those that have a second noun after a dash and are in an aisle where none has only the first: a
 * lemonade of a brand of whisky.
 */
export const withoutSidelines = (
  candidates: readonly ParsedCandidate[],
  { headShare }: Pick<Vocabulary, 'headShare'>,
): readonly ParsedCandidate[] => {
  const isSingle = ({ heads }: ParsedCandidate): boolean =>
    heads.slice(1).every((head) => (headShare(head) ?? 0) < MIN_HEAD_SHARE)
  const aisles = new Set(candidates.filter(isSingle).map(({ aisle }) => aisle))
  if (aisles.size === 0) return candidates
  return candidates.filter((one) => isSingle(one) || one.aisle === '' || aisles.has(one.aisle))
}

/** The candidates without those in an aisle where their retailer has little of the kind, if it has most of it in another. */
export const narrowToAisles = (candidates: readonly ParsedCandidate[]): readonly ParsedCandidate[] => {
  const shelved = candidates.filter(({ aisle }) => aisle !== '')
  const keyOf = ({ listing, aisle }: ParsedCandidate) => `${listing.retailer_id} ${aisle}`
  const counts = countBy(shelved.map(keyOf))
  const totals = countBy(shelved.map(({ listing }) => listing.retailer_id))
  const most = new Map<number, number>()
  for (const one of shelved)
    most.set(one.listing.retailer_id, Math.max(most.get(one.listing.retailer_id) ?? 0, counts.get(keyOf(one))!))
  return candidates.filter((one) => {
    const { retailer_id } = one.listing
    const total = totals.get(retailer_id) ?? 0
    if (one.aisle === '' || total < MIN_LISTINGS || most.get(retailer_id)! < MIN_MAIN_AISLE * total) return true
    return counts.get(keyOf(one))! >= MIN_AISLE * total
  })
}

/** Where so many have a weight or volume, what is sold by the one that fewer have is made of the thing, or flavoured with it. */
const [MIN_MEASURED, MAX_OTHER] = [0.6, 0.25]

/** The candidates without the few that are sold by volume where most are sold by weight, or the other way round. */
export const narrowToUnits = (candidates: readonly ParsedCandidate[]): readonly ParsedCandidate[] => {
  const counts = countBy(candidates.map(({ listing }) => listing.size_unit))
  const [weights, volumes] = [counts.get('g') ?? 0, counts.get('ml') ?? 0]
  const measured = weights + volumes
  if (measured < MIN_LISTINGS || measured < MIN_MEASURED * candidates.length) return candidates
  if (Math.min(weights, volumes) > MAX_OTHER * measured) return candidates
  const other = weights > volumes ? 'ml' : 'g'
  return candidates.filter(({ listing }) => listing.size_unit !== other)
}

/** If a smaller share is of no known size, those that state none are of another, too. */
const MIN_UNKNOWN = 0.75

/** The candidates of the size in the query: those that fit best; none if sizes are known and none fits. */
export const narrowToSize = <T extends Pick<Candidate, 'size_fit'>>(
  has_size: boolean,
  candidates: readonly T[],
): readonly T[] => {
  if (!has_size) return candidates
  const best = Math.max(...candidates.map(({ size_fit }) => size_fit ?? 0))
  if (best > 0) return candidates.filter(({ size_fit }) => size_fit === best)
  const unknown = candidates.filter(({ size_fit }) => size_fit === null)
  return unknown.length >= MIN_UNKNOWN * candidates.length ? unknown : []
}

/** Units that measure the same, a thousand times each other. */
const FAMILIES = [
  ['mb', 'gb', 'tb'],
  ['mhz', 'ghz'],
  ['mm', 'cm'],
] as const
const MEASURE = /^\d+(?:\.\d+)?([a-z]+)$/

const unitOf = (word: string): string | undefined => {
  const unit = MEASURE.exec(word)?.[1]
  return unit === undefined ? undefined : searchUnit(unit)
}

/**
 * The candidates without those of another measure than one in the query that no candidate has, as `3tb`; none if that leaves less
 * than half, since those that state no measure are then of another, too.
 */
export const narrowToMeasures = (
  missing: readonly string[],
  candidates: readonly ParsedCandidate[],
): readonly ParsedCandidate[] => {
  const units = new Set(
    missing
      .map(unitOf)
      .flatMap((unit) => FAMILIES.find((family) => family.some((each) => each === unit)) ?? unit ?? []),
  )
  const others = candidates.filter(({ name }) => name.order.some((word) => units.has(unitOf(word) ?? '')))
  if (2 * others.length >= candidates.length) return others.length === 0 ? candidates : []
  return candidates.filter((one) => !others.includes(one))
}
