import { type Contents, parseName, readContents, SAME_SIZE_PERCENT } from '../../engine/index.ts'
import type { TitleFields } from './titles.ts'

/** The size of a listing, and whether its columns and its title contradict each other. */
export type SizeReading = {
  /** One piece, in thousandths of a gram, a millilitre or a piece; null, like the next two, where none is stated. */
  milli: number | null
  unit: Contents['unit'] | null
  pieces: number | null
  differs: boolean
}

/** Goods that last, in the singular, English and then others: a number with a unit says what they can do. */
const DURABLE: ReadonlySet<string> = new Set(
  (
    'machine maker cooker kettle fridge refrigerator freezer oven toaster blender juicer grinder fryer grill microwave ' +
    'processor washer dryer dishwasher percolator teapot saucepan pan wok skillet tumbler thermos flask backpack tent ' +
    'sofa couch chair stroller humidifier dehumidifier heater vacuum aquarium printer monitor laptop notebook phone ' +
    'smartphone tv television drive ssd camera bouilloire refrigerateur congelateur cafetiere mixeur hervidor nevera ' +
    'frigorifico congelador cafetera batidora tostadora horno lavadora wasserkocher kuhlschrank kaffeemaschine mixer'
  ).split(' '),
)
const DURABLE_HINT = new RegExp(`(?:${[...DURABLE].join('|')})`, 'i')

const CAPACITIES =
  /\d+[ -]?(?:cups?|slices?|persons?|people|seats?|tazas?|tasses?|tassen|personas?|personnes?)(?!\p{L})/giu

/** Whether the noun of a title names goods that last: an espresso machine, but not the cleaner of one. */
const isDurable = (title: string): boolean =>
  DURABLE_HINT.test(title) && parseName(title.replace(CAPACITIES, '')).heads.some((head) => DURABLE.has(head))

const MAX_MILLI = 2 ** 31 - 1

const isSame = (a: number, b: number): boolean => 100 * Math.abs(a - b) <= SAME_SIZE_PERCENT * Math.max(a, b)

const countOf = (pack: string | null): number => {
  const count = Number(pack)
  return Number.isInteger(count) && count > 1 ? count : 1
}

const packed = ({ unit, amount }: Contents, pack: number): Contents => ({ unit, amount, pack, total: amount * pack })

/** The size by the columns; a pack count without a size is of what the title names. */
const byColumns = (size: string | null, count: number, title: Contents | null): Contents | null => {
  const stated = size === null ? null : readContents(size)
  if (stated) return stated.pack === 1 && stated.unit !== 'each' ? packed(stated, count) : stated
  if (count === 1) return null
  if (title && title.unit !== 'each') return title.pack === 1 ? packed(title, count) : title
  return { unit: 'each', amount: 1, pack: count, total: count }
}

/** Whether sizes agree: in all, or, since a column may mean the whole pack, in one piece. */
const agree = (a: Contents, b: Contents): boolean =>
  a.unit === b.unit && (isSame(a.total, b.total) || isSame(a.amount, b.amount) || isSame(a.amount, b.total))

const choose = (columns: Contents | null, title: Contents | null): { contents: Contents | null; differs: boolean } => {
  if (!columns || !title) return { contents: columns ?? title, differs: false }
  if (!agree(columns, title)) return { contents: title, differs: true }
  // The amount of the column is that of the pack which the title describes, or has no count of pieces.
  const isTitleFuller = title.pack > 1 && (columns.pack === 1 || isSame(columns.amount, title.total))
  return { contents: isTitleFuller ? title : columns, differs: false }
}

/**
 * The size of a listing: by its columns, else by its title. Where they differ by more than 2 % the title counts, since
 * shoppers read it. None for goods that last. Never throws.
 */
export const readSize = ({ title, size, pack }: TitleFields): SizeReading => {
  if (isDurable(title)) return { milli: null, unit: null, pieces: null, differs: false }
  const stated = readContents(title)
  const { contents, differs } = choose(byColumns(size, countOf(pack), stated), stated)
  const milli = contents && Math.round(1000 * contents.amount)
  if (!contents || !milli || milli > MAX_MILLI) return { milli: null, unit: null, pieces: null, differs }
  return { milli, unit: contents.unit, pieces: contents.pack, differs }
}
