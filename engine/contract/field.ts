import { z } from 'zod'
import { COUNTRY_CHOICES, CURRENCY_CHOICES } from './places.ts'

/** The units of fields, each with its format. */
export const units = {
  money:
    'An amount in the currency of the answer, which is that of its country, with 2 decimals, or those of the currency; a unit price with 4.',
  percent: 'Percent with 2 decimals: 1.5 is 1.5 %.',
  points: 'Percentage points with 2 decimals.',
  ratio: 'A plain ratio with 4 decimals: 0.25 is a quarter.',
  index: 'A price level relative to another, with 4 decimals: 1 is equal, 1.1 is 10 % more expensive.',
  count: 'A whole number of things.',
  days: 'Days.',
  age: 'Whole days before the moment of the answer: 2 is 2 days ago.',
  hours: 'Hours with 1 decimal.',
  seconds: 'Seconds.',
  figure: 'A figure of a statistical office in the unit of its series, with 4 decimals.',
  amount: 'An amount in the unit given with it, with 2 decimals.',
  stars: 'Stars, 0 to 5.',
  confidence: 'Confidence from 0 to 1; 1 is certain.',
  date: 'A UTC day, YYYY-MM-DD.',
  time: 'A UTC time, RFC 3339.',
} as const
export type Unit = keyof typeof units

/**
 * What a field of an answer is for: a figure; a key, which is for programs; an echo of what was sent, how it was read and how
 * old the data are; or the page that a list was cut to.
 */
export type Role = 'figure' | 'key' | 'echo' | 'page'

declare module 'zod' {
  interface GlobalMeta {
    unit?: Unit
    /** Whether this is the main figure of an answer. */
    headline?: boolean
    /** Whether the main figure is quoted with this one, without which it cannot be judged; in a table, whether it is always shown. */
    beside?: boolean
    /** Whether its numbers are changes, which are written with their sign. */
    signed?: boolean
    /** Its role, where it is no figure. Fields inside it have the same one. */
    role?: Role
  }
}

/** Column types of query rows, which are internal. */
export const count = z.int().min(0)
export const figure = z.number().nullable()

const amount = z.number().min(0)

const measured =
  <S extends z.ZodType>(schema: S, unit: Unit, marks: { signed?: true } = {}) =>
  (description: string): S =>
    schema.meta({ description, unit, ...marks })

/** Builders of fields of answers and parameters. Each accepts a description of one or two sentences for buyers. */
export const field = {
  money: measured(amount, 'money'),
  /** A percentage that is never below zero. */
  percent: measured(amount, 'percent'),
  /** A percentage above or below zero. */
  change: measured(z.number(), 'percent', { signed: true }),
  /** A percentage of a whole, from 0 to 100. */
  share: measured(amount.max(100), 'percent'),
  /** How far a price is below another, in per cent: below zero where it is above. */
  reduction: measured(z.number().max(100), 'percent'),
  points: measured(z.number(), 'points', { signed: true }),
  /** Percentage points without a sign: the size of an error. */
  error: measured(amount, 'points'),
  ratio: measured(amount, 'ratio'),
  index: measured(amount, 'index'),
  /** From -1 to 1. */
  correlation: measured(z.number().min(-1).max(1), 'ratio', { signed: true }),
  /** A figure of a statistical office. */
  figure: measured(amount, 'figure'),
  count: measured(count, 'count'),
  days: measured(count, 'days'),
  /** How many days ago something was. */
  age: measured(count, 'age'),
  hours: measured(amount, 'hours'),
  seconds: measured(count, 'seconds'),
  amount: measured(amount, 'amount'),
  stars: measured(amount.max(5), 'stars'),
  confidence: measured(amount.max(1), 'confidence'),
  date: measured(z.iso.date(), 'date'),
  time: measured(z.iso.datetime(), 'time'),
  text: (description: string) => z.string().describe(description),
  /** An id, an address or a normalised name. */
  key: (description: string) => z.string().meta({ description, role: 'key' }),
  flag: (description: string) => z.boolean().describe(description),
  choice: <const V extends readonly string[]>(values: V, description: string) => z.enum(values).describe(description),
  /** A country that a lake holds. The contract names the usual ones, that of a lake those it holds besides. */
  country: (description: string) => z.string().meta({ enum: COUNTRY_CHOICES, description }),
  currency: (description: string) => z.string().meta({ enum: CURRENCY_CHOICES, description }),
  list: <S extends z.ZodType>(entry: S, description: string) => z.array(entry).describe(description),
  /** A field that repeats what was sent. */
  echo: <S extends z.ZodType>(schema: S): S => schema.meta({ role: 'echo' }),
  /** A field that says how a list was cut. */
  page: <S extends z.ZodType>(schema: S): S => schema.meta({ role: 'page' }),
  /** A field with a title, where the words of its name are none. */
  titled: <S extends z.ZodType>(title: string, schema: S): S => schema.meta({ title }),
}

/** Marks the main figure of an answer. */
export const headline = <S extends z.ZodType>(schema: S): S => schema.meta({ headline: true })
/** Marks a figure that is quoted beside the main one. */
export const beside = <S extends z.ZodType>(schema: S): S => schema.meta({ beside: true })
/** Marks a field that is kept for old clients; its description names the replacement. */
export const deprecated = <S extends z.ZodType>(schema: S): S => schema.meta({ deprecated: true })
