import type { Difference, Impact } from '../impact/impact.ts'
import { alignColumns, counted, formatCount } from './table.ts'

const MAX_LISTED = 20

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const textOf = (value: number | null): string => (value === null ? '-' : String(value))

/** How far two figures are apart, as a share of the larger one; one that is missing differs most. */
const distanceOf = ({ before, after }: Difference): number =>
  before === null || after === null ? 2 : Math.abs(after - before) / Math.max(Math.abs(before), Math.abs(after))

/** The statistics with how many figures differ, and the largest differences. */
export const renderImpact = ({ before, after, as_of, statistics, differences }: Impact): string => {
  const compared = sum(statistics.map((each) => each.compared))
  const title = `as of ${as_of}, ${formatCount(differences.length)} of ${counted(compared, 'figure')} differ between ${before} and ${after}`
  const rows = statistics.map((each) => [each.query, formatCount(each.compared), formatCount(each.different)])
  const table = alignColumns([['statistic', 'figures', 'different'], ...rows], 1)
  if (differences.length === 0) return [title, '', ...table].join('\n')
  const largest = differences.toSorted((a, b) => distanceOf(b) - distanceOf(a)).slice(0, MAX_LISTED)
  const listed = largest.map((each) => [
    each.query,
    each.country,
    each.department,
    each.figure,
    textOf(each.before),
    textOf(each.after),
  ])
  const heading = ['statistic', 'country', 'department', 'figure', 'before', 'after']
  const more = differences.length > MAX_LISTED ? [`--json lists all ${formatCount(differences.length)}`] : []
  return [title, '', ...table, '', ...alignColumns([heading, ...listed], 4), ...more].join('\n')
}
