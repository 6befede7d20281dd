import { DEFAULT_MAX_QUARANTINE } from '../../facts/refuse.ts'
import { percent } from '../columns/kinds.ts'
import { type Draft, decide, guessed, note } from './draft.ts'
import { allowing } from './rest.ts'

/** Periods of statistical offices that are no months: annual averages, halves and quarters. */
const NO_MONTH = /^(?:M13|[AQS]\d\d|\d{4})$/

/** Says what figures of official series lack, allows those without a value or month, and states a day of release that is assumed. */
export const describeFigures = (draft: Draft): void => {
  const { columns = {}, constants = {} } = draft.description
  const isOpen = (column: 'source' | 'country') =>
    !draft.reads.has(column) && columns[column] === undefined && constants[column] === undefined
  if (isOpen('source')) decide(draft, 'noOffice')
  if (isOpen('country')) decide(draft, 'noCountry', { hints: '', constants: { country: '...' } })
  if (typeof columns.released_on === 'object') decide(draft, 'noRelease')
  const value = guessed(draft, 'value')!
  const period = draft.columns.find(({ name }) => /^(?:period|ref_date)$/i.test(name))!
  const refused = value.values.filter((text, row) => !(Number(text) > 0) || NO_MONTH.test(period.values[row]!.trim()))
  const share = refused.length / Math.max(1, value.values.length)
  if (share <= DEFAULT_MAX_QUARANTINE / 2) return
  draft.description.max_quarantine = allowing(share)
  note(draft, 'withoutFigure', { share: percent(share) })
}
