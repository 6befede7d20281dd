import Negotiator from 'negotiator'
import {
  type Admit,
  type AnyQuery,
  type EngineError,
  formatTable,
  giveWay,
  invalidParam,
  isAlwaysThere,
  mainTable,
  type Table,
  type TableFormat,
  tableFormats,
  tableNamed,
  tableNames,
} from '../../engine/index.ts'
import { Refusal } from './problem.ts'

/** The media types of tables. */
export const tableTypes: Record<TableFormat, string> = {
  csv: 'text/csv',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
}
const JSON_TYPE = 'application/json'
const UTF_8 = '; charset=utf-8'

const extensions: Record<TableFormat, string> = { csv: 'csv', arrow: 'arrows', parquet: 'parquet' }

/** How an answer is sent: as JSON, or one of its tables as a file; a table of null is the main one. */
export type AnswerFormat = { format: 'json' } | { format: TableFormat; table: string | null }

const formats: readonly (TableFormat | 'json')[] = ['json', ...tableFormats]
const typeOf = (format: TableFormat | 'json'): string => (format === 'json' ? JSON_TYPE : tableTypes[format])

/** The types to choose from, JSON first: it is sent where several are equally acceptable. */
const available = formats.flatMap((format) => [typeOf(format), `${typeOf(format)}${UTF_8}`])

/** The refusal of an Accept header that has none of some types. */
export const notAcceptable = (types: readonly string[]): Refusal =>
  new Refusal('NOT_ACCEPTABLE', `Accept: expected ${types.length > 1 ? 'one of ' : ''}${types.join(', ')}, or */*`, {
    available: types,
  })

/** The most preferred format of an Accept header, JSON without one; undefined if it accepts none. */
const preferred = (accept: string | undefined): TableFormat | 'json' | undefined => {
  const type = new Negotiator({ headers: { accept: accept || undefined } }).mediaType(available)
  return formats.find((format) => typeOf(format) === type?.replace(UTF_8, ''))
}

/** Throws NOT_ACCEPTABLE if a header does not accept JSON. */
export const requireJson = (accept: string | undefined): void => {
  const type = new Negotiator({ headers: { accept: accept || undefined } }).mediaType([JSON_TYPE, JSON_TYPE + UTF_8])
  if (!type) throw notAcceptable([JSON_TYPE])
}

const absentTable = (name: string, accepted: readonly string[]): EngineError =>
  invalidParam('table', `the answer has no table ${JSON.stringify(name)}; it has ${accepted.join(', ')}`, { accepted })

/** Reads the parameter `table`; null if it is absent. Throws INVALID_PARAMS if the query has no such table. */
export const requireTable = (query: AnyQuery, table: string | string[] | undefined): string | null => {
  if (Array.isArray(table)) throw invalidParam('table', 'is given more than once; send it once')
  const name = table?.trim() ? table : null
  const names = tableNames(query)
  if (name !== null && !names.includes(name)) throw absentTable(name.slice(0, 64), names)
  return name
}

/**
 * The format of an answer by Accept and the parameter `table`. Throws NOT_ACCEPTABLE if no format is acceptable, and
 * INVALID_PARAMS if the query has no such table or the answer is JSON, which has them all.
 */
export const formatOf = (
  query: AnyQuery,
  accept: string | undefined,
  table: string | string[] | undefined,
): AnswerFormat => {
  const format = preferred(accept)
  if (!format) throw notAcceptable(formats.map(typeOf))
  const name = requireTable(query, table)
  if (format !== 'json') return { format, table: name }
  if (name === null) return { format }
  const types = Object.values(tableTypes).join(', ')
  throw invalidParam('table', `JSON has all tables; omit it, or send it with Accept: one of ${types}`)
}

/** Whether every answer can be sent in a format; else only computing it shows whether it has the table. */
export const isAlwaysAvailable = (query: AnyQuery, sent: AnswerFormat): boolean =>
  sent.format === 'json' || sent.table === null || isAlwaysThere(query, sent.table)

/** What distinguishes the formats of one answer in its ETag. */
export const tagOf = (hash: string, sent: AnswerFormat): string =>
  sent.format === 'json' ? hash : [hash, sent.format, ...(sent.table === null ? [] : [sent.table])].join('.')

/** The headers of a format. A table is a file to save, named after its query. */
export const formatHeaders = ({ group, name }: AnyQuery, sent: AnswerFormat): Record<string, string> => {
  const type = typeOf(sent.format)
  if (sent.format === 'json') return { 'content-type': `${type}${UTF_8}` }
  const { format, table } = sent
  const file = [group, name, ...(table === null || table === name ? [] : [table])].join('-')
  return {
    'content-type': format === 'csv' ? `${type}${UTF_8}` : type,
    'content-disposition': `attachment; filename="${file}.${extensions[format]}"`,
  }
}

/** The table of an answer, given as JSON, that a format is about. Throws INVALID_PARAMS if the answer does not have it. */
const tableIn = (query: AnyQuery, body: Buffer, name: string | null): Table => {
  const answer = JSON.parse(body.toString())
  if (name === null) return mainTable(query, answer)
  const table = tableNamed(query, answer, name)
  if (table) return table
  throw absentTable(
    name,
    tableNames(query).filter((other) => tableNamed(query, answer, other)),
  )
}

/**
 * Converts answers to a format: JSON as they are. `admit` decides when DuckDB is used, which writes Parquet. Converts an
 * answer once, however often it is called with it.
 */
export const createConversion = (query: AnyQuery, sent: AnswerFormat, admit: Admit) => {
  let last: { body: Buffer; converted: Promise<Uint8Array> } | undefined
  return (body: Buffer): Promise<Uint8Array> => {
    if (sent.format === 'json') return Promise.resolve(body)
    if (last?.body === body) return last.converted
    const { format, table } = sent
    const convert = async () => {
      const source = tableIn(query, body, table)
      await giveWay()
      return formatTable(source, format)
    }
    last = { body, converted: format === 'parquet' ? admit(convert) : convert() }
    return last.converted
  }
}
