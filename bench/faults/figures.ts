import type { Figure } from './figure.ts'
import { lakeFigures } from './lake-figures.ts'
import { serviceFigures } from './service-figures.ts'

/** The figures of reliability, in the order of the table. */
export const figures: readonly Figure[] = [...lakeFigures, ...serviceFigures].toSorted((a, b) => a.number - b.number)
