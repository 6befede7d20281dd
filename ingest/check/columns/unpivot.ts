import type { Column } from '../../feeds/columns.ts'
import { identifier, literal } from '../../feeds/sql-text.ts'
import { rowsOf, type SampledColumn, type SampledFile, type UnreadPart } from '../read/sample.ts'
import { nameScore, wordsOf } from './names.ts'
import { amountsOf, areDates, DATE, dateIn, hasPriceWord, isSigned, nameOf, namesIn, ownName } from './wide.ts'

const MAX_ROWS = 5000
const OF_SHOPS = ['product_name', 'list_price', 'url'] as const
const MIN_OF_SHOPS = 0.5

/** What shops have beside their prices in columns of their own, by the column of the price: `lista_acme` beside `precio_acme`. */
const besidePrices = (others: readonly SampledColumn[], wide: readonly SampledColumn[], target: Column) => {
  const found = wide.flatMap(({ name }) => {
    const shop = wordsOf(ownName(name))
    const beside = others.find((column) => {
      const words = wordsOf(column.name)
      const rest = words.filter((word) => !shop.includes(word)).join(' ')
      return shop.every((word) => words.includes(word)) && nameScore(rest, target) >= MIN_OF_SHOPS
    })
    return beside && ownName(name) !== name ? [[name, beside] as const] : []
  })
  // Each price needs the name of what it is of.
  return new Map(target === 'product_name' && found.length < wide.length ? [] : found)
}

/**
 * A wide table, with one value per product, shop or date, as a long one, with its rows as the mapping key `unpivot`
 * makes them; others as they are. A table that has a price, or whose numbers nothing calls prices, is not wide.
 */
export const withUnpivot = (file: SampledFile): SampledFile => {
  const amounts = amountsOf(file)
  if (amounts === null) return file
  const { wide, name_to } = amounts
  const cells = (wide[0]?.values ?? []).flatMap((_, row) =>
    wide.flatMap(({ name, values }) => (values[row]?.trim() ? [{ row, name, value: values[row] }] : [])),
  )
  // Neighbouring rows of the sample stay together; a part of them is enough.
  const taken = cells.slice(0, MAX_ROWS)
  const others = file.columns.filter((column) => !wide.includes(column))
  const ofShops = (name_to === 'platform' ? OF_SHOPS : []).map((target) => besidePrices(others, wide, target))
  const merged = ofShops.flatMap((columns, at): SampledColumn[] => {
    const [first] = columns.values()
    const cases = [...columns].map(
      ([name, column]) => `WHEN ${literal(name)} THEN ${column.sql ?? identifier(column.name)}`,
    )
    const values = taken.map(({ row, name }) => columns.get(name)?.values[row] ?? '')
    const sql = `CASE ${identifier(name_to)} ${cases.join(' ')} END`
    return first ? [{ name: first.name, alias: OF_SHOPS[at]!, sql, values }] : []
  })
  const long = others
    .filter((column) => !ofShops.some((columns) => [...columns.values()].includes(column)))
    .map((column) => ({ ...column, values: taken.map(({ row }) => column.values[row] ?? '') }))
  const { type } = wide[0]!
  const names = wide.map(nameOf)
  // A date may be a part of the name.
  const areOwn = areDates(names) || name_to !== 'observed_at'
  const labels = taken.map(({ name }) => (areOwn ? name : dateIn(name)))
  const ofNames = namesIn(name_to, labels)
  const empty = wide.length * rowsOf(wide) - cells.length
  const cellsLeftOut: UnreadPart = { kind: 'cells', part: `${names.length} columns`, records: empty }
  return {
    ...file,
    options: { ...file.options, unpivot: { columns: names, name_to, value_to: 'price' } },
    isDoubtful: name_to === 'variant' || (!isSigned(wide) && !hasPriceWord([file.path, ...file.columns.map(nameOf)])),
    left_out: [...(file.left_out ?? []), ...(empty > 0 ? [cellsLeftOut] : [])],
    columns: [
      ...long,
      ...merged,
      areOwn ? ofNames : { ...ofNames, sql: `regexp_extract(${identifier(name_to)}, ${literal(DATE)})` },
      { name: 'price', values: taken.map(({ value }) => value), ...(type ? { type } : {}) },
    ],
  }
}
