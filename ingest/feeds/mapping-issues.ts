import type { z } from 'zod'
import { EngineError } from '../../engine/index.ts'
import { COLUMNS } from './columns.ts'
import { didYouMean } from './nearest.ts'

/** Keys that a mapping may have, for suggestions. */
const KEYS = [
  ...['columns', 'constants', 'values', 'listing_id_from', 'brand_prefixes', 'category_root', 'timezone', 'year'],
  ...[
    'timestamp_format',
    'brand_texts',
    'brands',
    'not_brands',
    'price_text',
    'kind',
    'delimiter',
    'encoding',
    'files',
  ],
  ...['decimal_comma', 'name_pattern', 'json_path', 'replaces', 'max_quarantine', 'store', 'notes'],
]

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

/** What a length counts. */
const lengthOf = (maximum: number | bigint, origin: string): string => {
  if (origin === 'string') return `${maximum} ${maximum === 1 ? 'character' : 'characters'}`
  return origin === 'array' ? `${maximum} ${maximum === 1 ? 'entry' : 'entries'}` : `${maximum}`
}

const quoted = (input: unknown): string => {
  const text = JSON.stringify(input) ?? String(input)
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}

const problemOf = (issue: z.core.$ZodIssue): string => {
  const got = issue.input === undefined ? 'got nothing' : `got ${quoted(issue.input)}`
  if (issue.code === 'unrecognized_keys') {
    const isColumn = issue.path.some((part) => ['columns', 'constants', 'values'].includes(String(part)))
    return issue.keys
      .map((key) => `unknown ${isColumn ? 'column' : 'key'} ${key}${didYouMean(key, isColumn ? COLUMNS : KEYS)}`)
      .join(', ')
  }
  if (issue.code === 'invalid_type') return `expected ${TYPES[issue.expected] ?? issue.expected}, ${got}`
  if (issue.code === 'invalid_value') return `expected one of ${issue.values.join(', ')}, ${got}`
  const isColumn = issue.path[0] === 'columns' || issue.path.includes('columns')
  if (isColumn && issue.path.at(-1) !== 'columns' && ['invalid_union', 'too_small'].includes(issue.code))
    return `expected a column name, a list of them, {"join": [names]} or {"sql": "expression"}, ${got}`
  if (issue.path.at(-1) === 'files' && issue.code === 'invalid_union')
    return `expected a list of globs, or an object with a description of each, ${got}`
  const isConstant = issue.path.includes('constants')
  if (issue.code === 'invalid_union')
    return `expected ${isConstant ? 'a text, a number, true or false' : 'a text or a list of texts'}, ${got}`
  if (issue.code === 'invalid_key') return 'expected a name for each entry, got an empty one'
  if (issue.code === 'too_big') return `expected at most ${lengthOf(issue.maximum, issue.origin)}, ${got}`
  if (issue.code === 'too_small')
    return issue.origin === 'number'
      ? `expected at least ${issue.minimum}, ${got}`
      : 'expected at least one entry or character, got none'
  return `${issue.message}, ${got}`
}

/** What is wrong with a mapping, by the place in it. */
export const issueText = (issue: z.core.$ZodIssue): string =>
  [...(issue.path.length > 0 ? [issue.path.join('.')] : []), problemOf(issue)].join(': ')

export const invalidMapping = (path: string, problems: readonly string[]): EngineError =>
  new EngineError('INVALID_PARAMS', `${path}: ${problems.join('; ')}`, { path })
