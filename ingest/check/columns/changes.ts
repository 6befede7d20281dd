import { identifier } from '../../feeds/sql-text.ts'
import type { SampledFile } from '../read/sample.ts'
import { featuresOf } from './features.ts'
import { hasWord, isNamed } from './names.ts'

const MIN_AMOUNTS = 0.9
const MIN_FILL = 0.9

/** A log of changes with its prices in one column: the first price of each product, and what it changed to later. */
export const withChanges = (file: SampledFile): SampledFile => {
  const price = file.columns.find(({ name }) => isNamed(name, 'price'))
  if (price === undefined || featuresOf(price).fill > MIN_FILL) return file
  const merged = (values: readonly string[]) => price.values.map((value, row) => value.trim() || values[row]!)
  const after = file.columns.find((column) => {
    const { fill } = featuresOf(column)
    const isAlone = column.values.every((value, row) => value.trim() === '' || price.values[row]!.trim() === '')
    const isFull = featuresOf({ values: merged(column.values) }).fill > MIN_FILL
    return (
      hasWord(column.name, 'after') && fill > 0 && isAlone && isFull && featuresOf(column).price().share > MIN_AMOUNTS
    )
  })
  if (after === undefined) return file
  const sql = `coalesce(${[price, after].map((column) => column.sql ?? identifier(column.name)).join(', ')})`
  const columns = file.columns.map((column) =>
    column === price ? { ...price, sql, values: merged(after.values) } : column,
  )
  return { ...file, columns }
}
