import type { AnyQuery } from '../queries/query.ts'
import type { AnswerField } from './answer-fields.ts'
import { type AnswerValues, daysOf, type Headline, headlineOf, type Quoted, scopeOf } from './headline.ts'
import { readableLine, shortened } from './readable.ts'
import { number, textOf } from './text.ts'
import { lowerFirst } from './title.ts'
import { capitalised, categoryName, countryName, dayRange } from './words.ts'

/** The main figure of an answer in plain text: what it is, its value, and lines about its interval and population. */
export type Sentence = { about: string; value: string; details: string[] }

const textIn = (answer: AnswerValues, { field, value }: Quoted): string =>
  textOf(value, field, { face: 'plain', currency: answer.currency, hasUnit: true })

/** What an answer is about, in words: `Coffee, United States, 1 Aug to 31 Oct 2026`. */
export const subjectOf = (answer: AnswerValues): string => {
  const { subject, category, retailer, country } = scopeOf(answer)
  const days = daysOf(answer)
  return [
    subject && shortened(subject, 80),
    category && capitalised(categoryName(category)),
    retailer,
    country && countryName(country),
    days && dayRange(days.from, days.to),
  ]
    .filter(Boolean)
    .join(', ')
}

const intervalText = (answer: AnswerValues, { low, high, level, isMiddleHalf }: NonNullable<Headline['interval']>) => {
  const name = isMiddleHalf ? 'Middle half' : level === null ? 'Interval' : `${number(100 * level)}% interval`
  return `${name} ${textIn(answer, low)} to ${textIn(answer, high)}.`
}

/** Where and when the price of a headline was seen, of a record that says so. */
const placeText = (answer: AnswerValues, { name }: AnswerField): string => {
  const record = name.includes('.') ? (answer[name.split('.')[0]!] as AnswerValues | null) : null
  const { retailer, age_days: age } = record ?? {}
  const ago =
    typeof age === 'number' ? (age === 0 ? 'seen today' : `seen ${number(age)} day${age === 1 ? '' : 's'} ago`) : ''
  return [typeof retailer === 'string' && `at ${retailer}`, ago].filter(Boolean).join(', ')
}

/** The main figure of an answer in words; null for one without. */
export const sentenceOf = (query: AnyQuery, answer: AnswerValues): Sentence | null => {
  const headline = headlineOf(query, answer)
  if (!headline) return null
  const { field, value, row, interval, population } = headline
  const rowText = row && row.value !== null ? shortened(textIn(answer, row), 80) : ''
  const subject = [subjectOf(answer), rowText].filter(Boolean).join(', ')
  const place = placeText(answer, field)
  return {
    about: readableLine(subject === '' ? field.title : `${subject}: ${lowerFirst(field.title)}`),
    value: readableLine([value === null ? 'none' : textIn(answer, headline), place].filter(Boolean).join(' ')),
    details: [
      ...(interval ? [intervalText(answer, interval)] : []),
      ...(population ? [`${population.field.title}: ${textIn(answer, population)}.`] : []),
    ],
  }
}
