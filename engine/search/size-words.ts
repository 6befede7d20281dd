import { type Contents, contentsFit, readContents } from './contents.ts'
import type { Postings } from './postings.ts'
import type { SearchIndex } from './search-index.ts'

/** The columns of a feed that state the size of a listing; null where it has none. */
export type SizeColumns = { size_value: string | null; size_unit: string | null; pack_count: string | null }

/** The contents of a listing: as its title states them, else as the columns of its feed do. */
export const contentsOf = (title: string, { size_value, size_unit, pack_count }: SizeColumns): Contents | null => {
  const stated = readContents(title)
  if (stated !== null || size_value === null) return stated
  const amount = `${size_value} ${size_unit ?? ''}`
  return readContents(pack_count !== null && Number(pack_count) > 1 ? `${pack_count} x ${amount}` : amount)
}

/** The index has words for sizes, which no text has: that one is known, the total, and that of a piece. */
const HAS_SIZE = '=size'
/** Sizes within this factor of each other are indexed by the same word or by neighbouring ones. */
const STEP = Math.log(1.02)

const stepOf = (amount: number): number => Math.round(Math.log(amount) / STEP)
const totalWord = ({ unit }: Contents, step: number): string => `=${unit}${step}`
const pieceWord = ({ unit }: Contents, step: number): string => `=1${unit}${step}`

/** The words by which the size of a listing is indexed; none without a size. */
export const sizeWords = (contents: Contents | null): string[] => {
  if (contents === null) return []
  const { unit, amount, pack, total } = contents
  const counted = unit === 'each' || pack === 1 ? [] : [totalWord({ ...contents, unit: 'each' }, stepOf(pack))]
  const piece = total === amount ? [] : [pieceWord(contents, stepOf(amount))]
  return [HAS_SIZE, totalWord(contents, stepOf(total)), ...piece, ...counted]
}

/** Ounces may be fluid ones, which are 4 % more. */
const FLUID = 29.5735 / 28.3495
const OUNCES = /(?:^|[\d\s.])(?:oz|ounces?)\b/i
const FLUID_OUNCES = /\bfl/i

/** A number at the end without a unit, as in `crown royal 750`. */
const BARE = /^\d{2,4}$/
export const isBareNumber = (term: string): boolean => BARE.test(term)
/** Of these the contents of bottles and cans; any other is a size only of what is sold by volume. */
const USUAL_MILLILITRES: ReadonlySet<string> = new Set(
  '50 100 187 200 250 300 330 341 350 355 375 473 500 568 650 700 710 720 750 1000 1140 1500 1750 2000 3000'.split(' '),
)

/** Whether a bare number that no name has is the contents of a bottle or can. */
export const isUsualVolume = (number: string): boolean => USUAL_MILLILITRES.has(number)

/** The sizes that a query may mean; none where it states none. A bare number that no name has is read as millilitres. */
export const sizesIn = (text: string, dropped_terms: readonly string[] | null): readonly Contents[] => {
  const [bare = ''] = dropped_terms?.length === 1 ? dropped_terms : []
  const contents = readContents(text) ?? (isBareNumber(bare) ? readContents(`${bare} ml`) : null)
  if (contents === null) return []
  if (contents.unit !== 'g' || !OUNCES.test(text) || FLUID_OUNCES.test(text)) return [contents]
  const { amount, total } = contents
  return [contents, { ...contents, unit: 'ml', amount: amount * FLUID, total: total * FLUID }]
}

/** How well the size of a listing fits: 2 the same total, 1 the same piece, 0 neither; null where it is unknown. */
export type SizeFit = 0 | 1 | 2 | null

/** A size so many times that of every other of its unit is not that of something whose size is unknown. */
const MAX_FACTOR = 5

/** Whether sizes that a query may mean are far from all stated ones. */
export const isFarFrom = (stated: readonly (Contents | null)[], sizes: readonly Contents[]): boolean => {
  const alike = stated.flatMap((contents) =>
    contents && sizes.some(({ unit }) => unit === contents.unit) ? [contents] : [],
  )
  const isNear = (a: number, b: number) => Math.max(a, b) <= MAX_FACTOR * Math.min(a, b)
  return alike.length > 0 && !alike.some(({ total }) => sizes.some((size) => isNear(size.total, total)))
}

const hasAny = (lists: readonly Postings[], listing: number): boolean => lists.some((list) => list.has(listing))

/** How well listings fit the sizes that a query may mean. */
export const createSizeFit = ({ withWord }: Pick<SearchIndex, 'withWord'>, sizes: readonly Contents[]) => {
  const around = (amount: number): number[] => [-1, 0, 1].map((step) => stepOf(amount) + step)
  const listsOf = (words: readonly string[]) => words.map(withWord).filter(({ length }) => length > 0)
  const sized = listsOf([HAS_SIZE])
  const totals = listsOf(sizes.flatMap((size) => around(size.total).map((step) => totalWord(size, step))))
  // What is counted is of single pieces, whatever their number.
  const measured = sizes.filter(({ unit }) => unit !== 'each')
  const pieces = listsOf(
    measured.flatMap((size) => around(size.amount).flatMap((step) => [pieceWord(size, step), totalWord(size, step)])),
  )
  return (listing: number, title: string): SizeFit => {
    if (hasAny(sized, listing)) return hasAny(totals, listing) ? 2 : hasAny(pieces, listing) ? 1 : 0
    const contents = readContents(title)
    return contents && (Math.max(...sizes.map((size) => contentsFit(size, contents))) as SizeFit)
  }
}
