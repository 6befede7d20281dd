import type { AnyQuery } from '../query.ts'
import { categorySummary } from './analyst/category-summary.ts'
import { inflation } from './analyst/inflation.ts'
import { priceDispersion } from './analyst/price-dispersion.ts'

/** Every query, in the specification's order. Routes, commands, the contract document, tests and benches iterate it. */
export const queries: readonly AnyQuery[] = [inflation, priceDispersion, categorySummary]
