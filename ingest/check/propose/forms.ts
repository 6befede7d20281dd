import { readdirSync } from 'node:fs'
import type { Column, Feed } from '../../feeds/columns.ts'
import type { Description } from '../../feeds/mapping.ts'
import { readData } from '../columns/kinds.ts'
import type { SampledFile } from '../read/sample.ts'
import { type Draft, note, take, takeSql } from './draft.ts'
import { siteOf } from './platform.ts'

/** A source of a column in a standard form: a column, or an expression over columns that must be there. */
type FormSource = string | { needs: string[]; sql: string }

/** A standard form of files, whose columns have one meaning. Of several sources the first that a file has is read. */
export type Form = {
  name: string
  /** The feed; by default that of prices. */
  feed: Feed
  /** The columns that a file of this form has, and some of which it has at least one. */
  needs: string[]
  any?: string[]
  columns: Partial<Record<Column, FormSource[]>>
  /** The columns whose values show the currency and how prices are written. */
  sample?: Partial<Record<Column, string>>
} & Pick<Description, 'listing_id_from' | 'constants' | 'timezone'>

const FORMS: readonly Form[] = readdirSync(new URL('forms/', import.meta.url))
  .sort()
  .map((file) => ({ feed: 'price_observations', ...readData<Omit<Form, 'feed'>>(`../propose/forms/${file}`) }))

/** The name of a column as the file has it, also of one whose members are columns of their own. */
const nameIn = ({ columns }: Pick<SampledFile, 'columns'>, wanted: string): string | undefined => {
  const column = columns.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  return column?.name ?? columns.find(({ name }) => name.startsWith(`${wanted}.`))?.name.split('.')[0]
}

/** The standard form that a file has; null if it has none. */
export const formOf = (file: SampledFile): Form | null => {
  const has = (name: string) => nameIn(file, name) !== undefined
  return FORMS.find(({ needs, any = [] }) => needs.every(has) && (any.length === 0 || any.some(has))) ?? null
}

/** The source of each column of a form that a file has. */
const sourcesOf = (form: Form, file: SampledFile): [Column, FormSource][] =>
  (Object.entries(form.columns) as [Column, FormSource[]][]).flatMap(([column, alternatives]) => {
    const available = alternatives.find((source) =>
      (typeof source === 'string' ? [source] : source.needs).every((name) => nameIn(file, name) !== undefined),
    )
    return available ? [[column, available]] : []
  })

/** Guesses the columns of a form: those that need no expression, and those that are sampled. */
export const guessByForm = (draft: Draft, form: Form): void => {
  const plain = sourcesOf(form, draft.files[0]!).filter(([, source]) => typeof source === 'string')
  const sampled = Object.entries(form.sample ?? {}) as [Column, string][]
  for (const [column, wanted] of [...plain, ...sampled] as [Column, string][]) {
    const source = nameIn(draft, wanted)
    if (source) draft.guesses.set(column, { column, source, score: 1, reason: form.name })
  }
}

/** Whether an expression reads a column, which may be a member of another. */
const isIn = (sql: string, name: string): boolean => name.split('.').every((part) => sql.includes(part))

const LEFT_TO_DECIDE = /^(?:platform|country|currency|observed_at|max_quarantine): /

/** Maps the columns of a standard form, and leaves what it lacks to be decided. */
export const describeByForm = (draft: Draft, form: Form): void => {
  const { listing_id_from, constants, timezone, name } = form
  const { platform, country } = draft.description.columns ?? {}
  draft.description.columns = { ...(platform ? { platform } : {}), ...(country ? { country } : {}) }
  for (const column of draft.reads.keys()) if (!draft.description.columns[column]) draft.reads.delete(column)
  for (const [column, source] of sourcesOf(form, draft.files[0]!)) {
    const fileColumn = typeof source === 'string' && draft.columns.find((entry) => entry.name === nameIn(draft, source))
    if (typeof source !== 'string')
      takeSql(draft, column, source.sql, ...draft.columns.filter(({ name }) => isIn(source.sql, name)))
    else if (fileColumn && column !== 'platform') take(draft, column, fileColumn)
  }
  const site = draft.description.columns.platform ? null : siteOf(draft)
  const all = { ...draft.description.constants, ...(site ? { platform: site } : {}), ...constants }
  Object.assign(draft.description, {
    ...(listing_id_from ? { listing_id_from: listing_id_from.filter((key) => nameIn(draft, key) === key) } : {}),
    ...(timezone ? { timezone } : {}),
    constants: all,
  })
  const { listing_id_from: ids, store = [] } = draft.description
  if (ids) draft.reads.set('listing_id', [...ids, ...[store].flat()])
  const isOpen = (decision: string) => {
    const column = decision.slice(0, decision.indexOf(':')) as Column
    return draft.description.columns?.[column] === undefined && all[column] === undefined
  }
  draft.decisions = draft.decisions.filter((decision) => LEFT_TO_DECIDE.test(decision) && isOpen(decision))
  const notes = draft.notes.filter((text) => /^(?:max_quarantine|currency|sheet): /.test(text))
  draft.notes = []
  note(draft, 'standardForm', { name })
  draft.notes.push(...notes)
}
