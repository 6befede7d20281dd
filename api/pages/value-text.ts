import { type AnswerField, type AnswerValues, textOf, unitSign } from '../../engine/index.ts'

/** A value of an answer with its unit. */
export const valueText = (value: unknown, field: AnswerField, { currency }: AnswerValues): string =>
  textOf(value, field, { face: 'typeset', currency, hasUnit: true })

/** The unit that the head of a column states. */
export const columnUnit = ({ unit }: AnswerField, { currency }: AnswerValues): string =>
  unit === 'money' ? String(currency) : unitSign(unit, currency)
