import {
  type AnswerField,
  type AnswerValues,
  type AnyQuery,
  capitalised,
  categoryName,
  countryName,
  dayRange,
  daysOf,
  type Headline,
  type HeadlineScope,
  headlineOf,
  lowerFirst,
  number,
  type Quoted,
  scopeOf,
  textOf,
} from '../../engine/index.ts'
import { html } from './html.ts'
import type { HeadlineFigure } from './parts.ts'

/** A value of an answer with its unit. */
export const valueText = (value: unknown, field: AnswerField, { currency }: AnswerValues): string =>
  textOf(value, field, { face: 'typeset', currency, hasUnit: true })

/** What an answer is about, in words. */
const scopeText = ({ subject, category, retailer, country }: HeadlineScope): string => {
  const place = category === null ? null : capitalised(categoryName(category))
  return [subject, place, retailer, country === null ? null : countryName(country)].filter(Boolean).join(', ')
}

const daysText = (days: Headline['days']): string => (days ? dayRange(days.from, days.to) : '')

const intervalText = ({ low, high, level, isMiddleHalf }: NonNullable<Headline['interval']>, answer: AnswerValues) => {
  const name = isMiddleHalf ? 'middle half' : level === null ? 'interval' : `${number(100 * level)}% interval`
  return html`<span>${name}</span> ${valueText(low.value, low.field, answer)} to ${valueText(high.value, high.field, answer)}`
}

/** A description that starts with what is counted, so that the number can be in front of it. */
const IS_COUNTED = /^[a-z-]+s\b/

/** A description up to the end of its first sentence. */
const firstSentence = ({ description }: AnswerField): string =>
  /^.*?[.](?=\s|$)/.exec(description)?.[0].slice(0, -1) ?? description

const populationText = ({ field, value }: Quoted): string => {
  const text = lowerFirst(firstSentence(field))
  const count = number(Number(value))
  return IS_COUNTED.test(text) ? `${count} ${text}.` : `${field.title}: ${count}.`
}

/** What an answer without a main figure is about. */
export const subjectText = (answer: AnswerValues): string =>
  [scopeText(scopeOf(answer)), daysText(daysOf(answer))].filter(Boolean).join(', ')

/** The headline of an answer: scope and days, value, interval, population; with the names of the fields used. */
export const headlineFigure = (
  query: AnyQuery,
  answer: AnswerValues,
): (HeadlineFigure & { used: readonly string[] }) | null => {
  const headline = headlineOf(query, answer)
  if (!headline) return null
  const { field, value, row, interval, population, scope, days } = headline
  const about = [scopeText(scope), row && row.value !== null && valueText(row.value, row.field, answer)]
    .filter(Boolean)
    .join(', ')
  const title = about === '' ? field.title : `${about}: ${lowerFirst(field.title)}`
  return {
    label: [title, daysText(days)].filter(Boolean).join(', '),
    value: valueText(value, field, answer),
    interval: interval && intervalText(interval, answer),
    detail: population && populationText(population),
    used: [field.name, population?.field.name ?? ''],
  }
}
