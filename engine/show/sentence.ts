import type { AnyQuery } from '../queries/query.ts'
import type { AnswerField } from './answer-fields.ts'
import { type AnswerValues, type Headline, headlineOf, type Quoted } from './headline.ts'
import { readableLine, shortened } from './readable.ts'
import { agoText, number, type TextStyle, valueText } from './text.ts'
import { lowerFirst } from './title.ts'
import { capitalised, categoryName, countryName, dayRange } from './words.ts'

/** The main figure of an answer in words: what it is, its value, and sentences about its interval and population. */
export type Sentence = {
  about: string
  value: string
  /** Where and when it was seen, of a price that says so. */
  place: string
  details: string[]
  /** The names of the fields that it quotes. */
  fields: string[]
}

const MAX_NAME = 80

const textAt = (answer: AnswerValues, name: string): string | null => {
  const value = answer[name]
  return typeof value === 'string' ? value : null
}

/** What an answer is about, in words: `Coffee, United States, 1 Aug to 31 Oct 2026`. */
export const subjectOf = (answer: AnswerValues): string => {
  const text = (name: string) => textAt(answer, name)
  const [name, category, country] = [
    text('product_name') ?? text('brand'),
    text('category') ?? text('department'),
    text('country'),
  ]
  const { window } = answer as { window?: { from: string; to: string } | null }
  return [
    name && shortened(name, MAX_NAME),
    category && capitalised(categoryName(category)),
    text('retailer'),
    country && countryName(country),
    window && dayRange(window.from, window.to),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Where and when the price of a headline was seen, of a record that says so. */
const placeText = (answer: AnswerValues, { name }: AnswerField): string => {
  const record = name.includes('.') ? (answer[name.split('.')[0]!] as AnswerValues | null) : null
  const { retailer, age_days: age } = record ?? {}
  return [typeof retailer === 'string' && `at ${retailer}`, typeof age === 'number' && `seen ${agoText(age)}`]
    .filter(Boolean)
    .join(', ')
}

const intervalName = ({ isMiddleHalf, level }: NonNullable<Headline['interval']>): string => {
  if (isMiddleHalf) return 'Middle half'
  return level === null ? 'Interval' : `${number(100 * level)}% interval`
}

/** The main figure of an answer in words; null for one without. */
export const sentenceOf = (query: AnyQuery, answer: AnswerValues, face: TextStyle['face']): Sentence | null => {
  const headline = headlineOf(query, answer)
  if (!headline) return null
  const text = ({ field, value }: Quoted) => valueText(value, field, answer, face)
  const { field, value, row, interval, beside, population } = headline
  const rowText = row && row.value !== null ? shortened(text(row), MAX_NAME) : ''
  const subject = [subjectOf(answer), rowText].filter(Boolean).join(', ')
  return {
    about: readableLine(subject === '' ? field.title : `${subject}: ${lowerFirst(field.title)}`),
    value: readableLine(value === null ? 'none' : text(headline)),
    place: readableLine(placeText(answer, field)),
    details: [
      ...(interval ? [`${intervalName(interval)} ${text(interval.low)} to ${text(interval.high)}.`] : []),
      ...beside.map((figure) => `${figure.field.title}: ${text(figure).replaceAll('_', ' ')}.`),
      ...(population && population.field.name !== field.name
        ? [`${population.field.title}: ${text(population)}.`]
        : []),
    ],
    fields: [field.name, ...[...beside, ...(population ? [population] : [])].map((quoted) => quoted.field.name)],
  }
}
