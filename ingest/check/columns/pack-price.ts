import type { SampledColumn } from '../read/sample.ts'
import { featuresOf } from './features.ts'
import { shareOf } from './kinds.ts'

const MIN_MULTIPLES = 0.9
/** Of more, rounded amounts do not show whether they are whole. */
const MAX_MULTIPLE = 25

/** The column of amounts that are whole multiples of others, mostly of several: the price of a pack beside that of a unit. */
export const packPriceOf = (unit: SampledColumn, columns: readonly SampledColumn[]): SampledColumn | undefined =>
  columns.find((column) => {
    const { amounts, price } = featuresOf(column)
    const units = featuresOf(unit).amounts()
    const ratios = units.flatMap((one, row) => (one > 0 && amounts()[row]! > 0 ? [amounts()[row]! / one] : []))
    const several = ratios.filter((ratio) => ratio > 1.5 && ratio < MAX_MULTIPLE)
    const isWhole = (ratio: number) => Math.abs(ratio - Math.round(ratio)) < 0.01 * ratio
    const isAbove = shareOf(ratios, (ratio) => ratio > 0.99) > MIN_MULTIPLES
    return price().decimals > 0 && isAbove && several.length > 2 && shareOf(several, isWhole) > MIN_MULTIPLES
  })
