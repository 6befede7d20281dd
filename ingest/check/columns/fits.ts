import type { Column } from '../../feeds/columns.ts'
import { countryOf } from './countries.ts'
import type { Features } from './features.ts'
import { isBarcode, isCurrency, isDigits, isId, nameOfKind, percent, readData, shareOf } from './kinds.ts'

/** What a column of a feed needs of a column of a file besides a name. */
export type ColumnRole = {
  /** What its values are: a measure of `FITS`, or a kind of values. */
  fit: string
  /** The share of fitting values below which a name is ignored, and what counts for a column without values. */
  min?: number
  empty?: number
  /** The share of fitting values that shows the column without a name, where its first value looks so. */
  alone?: number
  looks?: string
  /** Whether its values change over time. */
  changes?: boolean
  /** Whether the columns of a file are said to be possibly this one. */
  possible?: boolean
  /** The columns of which the first that is found is taken for it where it is missing. */
  instead?: readonly Column[]
}

export const ROLES = readData<Partial<Record<Column, ColumnRole>>>('roles.json')

/** How well values fit, from 0 to 1, and a description for the reason. */
type Fit = { share: number; what: string }

const measured = (share: number, what: string, weight = 1): Fit => ({
  share: share * weight,
  what: `${percent(share)} ${what}`,
})

const textFit = ({ fill, share }: Features, weight = 1): Fit =>
  measured(share('text'), 'texts', (0.5 + 0.5 * fill) * weight)

const MIN_COUNTRY_FILL = 0.6
const MIN_READ = 0.2
const MIN_SHOP_FILL = 0.9
/** In more rows, one text in all of them is of the whole file. */
export const MAX_SAME = 20
/** A time that so few rows have is of something else. */
const MIN_TIME_FILL = 0.5

/** The measures that are more than the share of values of one kind. */
const FITS: Readonly<Record<string, (features: Features) => Fit>> = {
  text: (features) => textFit(features),
  // Titles vary from row to row; classes repeat, and descriptions are longer.
  title: (features) => {
    const { filled, distinct, rows, share } = features
    // `E5` is short, and few fuels repeat.
    if (share('fuel') > 0.9) return measured(share('fuel'), 'fuels')
    const mean = filled.reduce((sum, { length }) => sum + length, 0) / Math.max(1, filled.length)
    // One text in all rows is of the whole file.
    const varied = distinct === 1 && rows > MAX_SAME ? 0.35 : 0.5 + (2 * distinct) / Math.max(1, rows)
    return textFit(features, Math.min(1, varied) * (mean > 150 ? 0.5 : 1))
  },
  brand: (features) => {
    const { distinct, rows } = features
    if (distinct >= 3 || rows <= 100) return textFit(features)
    return { ...textFit(features, 0.2), what: `only ${distinct} different texts` }
  },
  shop: ({ share, distinct, fill, rows }) => {
    // A market may be a country.
    const words = share('shop') - share('country', (value) => countryOf(value) !== undefined)
    const few = distinct <= Math.max(40, rows / 20) ? 1 : 0.3
    // Every price has a retailer.
    const isFull = fill >= MIN_SHOP_FILL ? 1 : 0.3
    // One name in all rows may be of the source of the file.
    const varied = distinct === 1 && rows > MAX_SAME ? 0.9 : 1
    return {
      share: fill * (0.25 + 0.75 * words) * few * isFull * varied,
      what: `${distinct} different ${words > 0.5 ? 'names' : 'numbers'}`,
    }
  },
  // A constant does not identify listings.
  id: ({ share, fill, distinct, rows }) =>
    measured(fill * share('id', isId), `ids, ${distinct} different`, distinct > 1 || rows < 20 ? 1 : 0.2),
  time: ({ time, fill }) => {
    const { share, formats, isNative } = time()
    const form = !isNative && formats.length > 0 ? ` as ${formats.join(', ')}` : ''
    return measured(share, `times${form}`, fill < MIN_TIME_FILL ? fill : 0.5 + 0.5 * fill)
  },
  // One text beside the prices, such as `no old price`, is what a missing one is called.
  price: ({ price }) => {
    const { share, positive, refused } = price()
    const isRead = share >= MIN_READ || (share > 0 && refused.length === 1)
    return { share: isRead ? 0.1 * share + 0.9 * positive : 0, what: `${percent(positive)} prices above 0` }
  },
  barcode: ({ filled }) => measured(shareOf(filled.filter(isDigits), isBarcode), 'with a valid check digit'),
  // That of origin is often empty.
  country: ({ share, fill }) =>
    measured(
      share('country', (value) => countryOf(value) !== undefined),
      'countries',
      fill > MIN_COUNTRY_FILL ? 1 : fill,
    ),
  currency: ({ share }) => measured(share('currency', isCurrency), 'currency codes'),
}

/** How well the values of a column serve in a role. */
export const fitOf = (features: Features, role: ColumnRole | undefined): Fit => {
  const { filled, rows, share } = features
  if (!role) return { share: filled.length > 0 ? 1 : 0.4, what: 'any text' }
  if (role.empty !== undefined && filled.length === 0 && rows > 0)
    return { share: role.empty, what: 'no value in the sample' }
  return FITS[role.fit]?.(features) ?? measured(share(role.fit), nameOfKind(role.fit))
}
