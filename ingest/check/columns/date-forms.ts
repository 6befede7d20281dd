type DateShape = { test: RegExp; orders: readonly string[] }

/**
 * The shapes of dates and the orders their parts can have: Y four-digit year, y two-digit year, m month, d day, b month
 * name.
 */
const DATE_SHAPES: readonly DateShape[] = [
  { test: /^(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})$/, orders: ['Ymd', 'Ydm'] },
  { test: /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})$/, orders: ['dmY', 'mdY'] },
  {
    test: /^(\d{2})([-/. ])(\d{1,2})\2(\d{1,2})$|^(\d{1,2})([-/. ])(\d{1,2})\6(\d{2})$/,
    orders: ['dmy', 'mdy', 'ymd', 'ydm'],
  },
  { test: /^(\d{4})([-/. ])(\d{1,2})$/, orders: ['Ym'] },
  { test: /^(\d{1,2})([-/. ])(\d{4})$/, orders: ['mY'] },
  { test: /^(\d{1,2})([-/.])(\d{1,2})$/, orders: ['dm', 'md'] },
  { test: /^\d{8}$/, orders: ['Ymd', 'dmY', 'mdY'] },
  { test: /^\d{6}$/, orders: ['Ym', 'ymd', 'dmy', 'mdy'] },
  { test: /^\d{1,2}[- ]?[a-z]{3,9}\.?,?[- ]\d{4}$/i, orders: ['dbY'] },
  { test: /^\d{1,2}[- ][a-z]{3,9}[- ]\d{2}$/i, orders: ['dby'] },
  { test: /^[a-z]{3,9}\.? \d{1,2},? \d{4}$/i, orders: ['bdY'] },
  { test: /^[a-z]{3,9}[- ]\d{4}$/i, orders: ['bY'] },
  { test: /^\d{4}[- ][a-z]{3,9}[- ]\d{1,2}$/i, orders: ['Ybd'] },
  { test: /^\d{1,2}[- ][a-z]{3,9}$/i, orders: ['db'] },
  { test: /^[a-z]{3,9} \d{1,2}$/i, orders: ['bd'] },
]

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

const monthOf = (text: string): number =>
  MONTHS.findIndex(
    (month) => month === text.toLowerCase() || (text.length === 3 && month.startsWith(text.toLowerCase())),
  ) + 1

const FIRST_YEAR = 1990
// `28/03/22` cannot begin with a year until 2028.
const LAST_YEAR = new Date().getFullYear() + 1

const numberOf = (text: string, part: string): number => {
  if (part === 'b') return monthOf(text)
  return part === 'y' ? Number(text) + (Number(text) > 68 ? 1900 : 2000) : Number(text)
}

/** The parts of a date, split by separators or, without any, by their widths. */
const fieldsOf = (text: string, order: string): string[] => {
  if (!/^\d+$/.test(text)) return text.match(/\d+|[a-z]+/gi) ?? []
  let position = 0
  return [...order].map((part) => {
    const from = position
    position += part === 'Y' ? 4 : 2
    return text.slice(from, position)
  })
}

/**
 * The date of a text whose parts are in an order, as `2024-02-13`; null if it is not a date. A missing year counts as a
 * leap year.
 */
export const readDate = (text: string, order: string): string | null => {
  const fields = fieldsOf(text, order)
  if (fields.length !== order.length) return null
  const numbers = new Map(
    [...order].map((part, index) => [part === 'b' ? 'm' : part.toLowerCase(), numberOf(fields[index]!, part)]),
  )
  const [year, month, day] = [numbers.get('y') ?? 2000, numbers.get('m') ?? 0, numbers.get('d') ?? 1]
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12 || day < 1) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null
}

/** The shape of a date, by number, and the orders its parts can have; null if the text has no such shape. */
export const shapeOf = (text: string): { number: number; orders: readonly string[] } | null => {
  const number = DATE_SHAPES.findIndex(({ test }) => test.test(text))
  return number === -1 ? null : { number, orders: DATE_SHAPES[number]!.orders }
}

/** The strptime format of a date written like `text`, with its parts in `order`. */
export const formatOf = (text: string, order: string): string => {
  if (/^\d+$/.test(text)) return [...order].map((part) => `%${part}`).join('')
  let position = 0
  return text.replace(/\d+|[a-z]+/gi, (field) => {
    const part = order[position]
    position += 1
    return part === 'b' && field.length > 3 ? '%B' : `%${part}`
  })
}
