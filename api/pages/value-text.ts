import { type AnswerField, type AnswerValues, decimalsOf, periodText, textOf, unitSign } from '../../engine/index.ts'

const STYLE = { minus: '−', dates: 'words' } as const
/** A list shows the names of this many entries. */
const MAX_LISTED = 6

const shortened = (value: unknown, text: (part: unknown) => string): string => {
  if (!Array.isArray(value) || value.length <= MAX_LISTED) return text(value)
  return `${text(value.slice(0, MAX_LISTED))} and ${value.length - MAX_LISTED} more`
}

/** A value of an answer with its unit. */
export const valueText = (value: unknown, field: AnswerField, { currency }: AnswerValues): string =>
  shortened(value, (part) => textOf(part, field, { ...STYLE, currency, hasUnit: true }))

/** The values of a column of a table, whose head has the unit. */
export const columnTexts = (values: readonly unknown[], field: AnswerField, { currency }: AnswerValues): string[] => {
  if (field.name === 'period') return values.map((value) => periodText(String(value)))
  const style = { ...STYLE, currency, hasUnit: false, decimals: decimalsOf(field.unit, values, currency) }
  return values.map((value) => shortened(value, (part) => textOf(part, field, style)))
}

/** The unit that the head of a column states. */
export const columnUnit = ({ unit }: AnswerField, { currency }: AnswerValues): string =>
  unit === 'money' ? String(currency) : unitSign(unit, currency)
