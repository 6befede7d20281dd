import { readdirSync, readFileSync } from 'node:fs'
import type { Column } from '../../feeds/columns.ts'
import type { Guess } from '../columns/guess-columns.ts'
import type { SampledFile } from '../read/sample.ts'
import type { DraftDescription } from './draft.ts'

/** A source of a column in a standard form: a column, or an expression over columns that must be there. */
type FormSource = string | { needs: string[]; sql: string }

/** A standard form of files, whose columns have one meaning. Of several sources the first that a file has is read. */
export type Form = {
  name: string
  /** The columns that a file of this form has, and some of which it has at least one. */
  needs: string[]
  any?: string[]
  columns: Partial<Record<Column, FormSource[]>>
  /** The columns whose values show the currency and how prices are written. */
  sample?: Partial<Record<Column, string>>
} & Pick<DraftDescription, 'listing_id_from' | 'constants' | 'timezone'>

const FOLDER = new URL('forms/', import.meta.url)

const FORMS: readonly Form[] = readdirSync(FOLDER)
  .sort()
  .map((file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Form)

/** The name of a column as the file has it, also of one whose members are columns of their own. */
const nameIn = ({ columns }: SampledFile, name: string): string | undefined => {
  const wanted = name.toLowerCase()
  const column = columns.find((entry) => entry.name.toLowerCase() === wanted)
  return column?.name ?? columns.find((entry) => entry.name.startsWith(`${name}.`))?.name.split('.')[0]
}

/** The standard form that a file has; null if it has none. */
export const formOf = (file: SampledFile): Form | null => {
  const has = (name: string) => nameIn(file, name) !== undefined
  return FORMS.find(({ needs, any = [] }) => needs.every(has) && (any.length === 0 || any.some(has))) ?? null
}

/** The source of each column of a form that a file has. */
export const sourcesOf = (form: Form, file: SampledFile): Map<Column, string | { sql: string }> => {
  const sources = new Map<Column, string | { sql: string }>()
  for (const [column, alternatives] of Object.entries(form.columns) as [Column, FormSource[]][])
    for (const source of alternatives) {
      const needs = typeof source === 'string' ? [source] : source.needs
      if (sources.has(column) || !needs.every((name) => nameIn(file, name) !== undefined)) continue
      sources.set(column, typeof source === 'string' ? nameIn(file, source)! : { sql: source.sql })
    }
  return sources
}

/** The guesses for the columns of a form: those that need no expression, and those that are sampled. */
export const guessesOf = (form: Form, file: SampledFile): Guess[] => {
  const sampled = Object.entries(form.sample ?? {}) as [Column, string][]
  const plain = [...sourcesOf(form, file)].flatMap(([column, source]) =>
    typeof source === 'string' ? [[column, source] as const] : [],
  )
  const sources = new Map([...plain, ...sampled.filter(([, source]) => nameIn(file, source) !== undefined)])
  return [...sources].map(([column, source]) => ({ column, source, score: 1, reason: form.name }))
}
