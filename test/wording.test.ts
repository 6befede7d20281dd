import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const files = ['engine', 'api', 'ingest', 'data'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
)

/** Words with a standard term in its place: a query is run, a listing is named after what it is. */
const BANNED = /^(asked|told|tells?|telling|stands?|standing|behind|dear(er|est)?|known|shown|met)$/i
/** Fields of answers and reports, options of DuckDB, and flags in their ordinary meaning. */
const ALLOWED = [
  'stand_ins',
  'stand_in_year',
  'known_brand_product_count',
  'stock_known_count',
  'STANDS_DAYS',
  'stock_known',
  'is_stock_known',
  'IS_STOCK_KNOWN',
  'IS_FLAG_KNOWN',
  'isShown',
  'autoinstall_known_extensions',
  'autoload_known_extensions',
]

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
const LITERAL = /(?<=[(=,!&|]\s?)\/(?:[^/\\\n]|\\.)+\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

test('identifiers use the terms of the glossary', () => {
  const offences = files.flatMap((path) => {
    const code = withoutComments(readFileSync(new URL(path, root), 'utf8')).replace(LITERAL, "''")
    const identifiers = new Set(code.match(/[A-Za-z_$][\w$]*/g))
    return [...identifiers]
      .filter((name) => !ALLOWED.includes(name))
      .filter((name) =>
        name
          .replace(/([a-z\d])([A-Z])/g, '$1_$2')
          .split('_')
          .some((part) => BANNED.test(part)),
      )
      .map((name) => `${path}: ${name}`)
  })
  expect(offences).toEqual([])
})

test('messages use the terms of the glossary', () => {
  const folder = new URL('messages/', import.meta.url)
  const snapshots = readdirSync(folder).filter((name) => name.endsWith('.txt'))
  expect(snapshots.length).toBeGreaterThan(0)
  const messages = snapshots.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('')
  expect(messages.match(/.*\b(asked|told|tells?|stands?|dear|met|mend|anew|belongs|question)\b.*/gi) ?? []).toEqual([])
})
