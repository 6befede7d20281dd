import { queries } from '../queries/index.ts'
import { type AnyQuery, type Group, groups } from '../query.ts'
import type { HelpRequest } from './command.ts'
import { globalOptions } from './options.ts'
import { paramsOf, type Schema } from './schema.ts'
import { inCommands, labelled, type Style, titled } from './terminal.ts'

const INDENT = 26

const EXIT_CODES = '0 answered, 1 refused, 2 wrong usage, 3 internal failure'

type Param = Schema & { isRequired: boolean }

const range = ({ minimum, maximum }: Schema): string => {
  const isLimit = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (isLimit(minimum) && isLimit(maximum)) return `${minimum} to ${maximum}.`
  return isLimit(minimum) ? `At least ${minimum}.` : isLimit(maximum) ? `At most ${maximum}.` : ''
}

const isShort = (values: readonly unknown[]): boolean => values.join('|').length < 8

const takes = ({ type, enum: values, anyOf }: Schema): string => {
  if (values) return isShort(values) ? values.join('|') : 'NAME'
  if (type === 'boolean') return ''
  if (type === 'integer' || type === 'number') return 'N'
  return anyOf ? 'TIME' : 'TEXT'
}

const about = (schema: Param): string =>
  [
    schema.isRequired && 'Required.',
    schema.description && inCommands(schema.description),
    schema.enum && !isShort(schema.enum) && `One of ${schema.enum.join(', ')}.`,
    range(schema),
    schema.default !== undefined && `Default ${schema.default}.`,
    schema.examples && `Example: ${schema.examples.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ')

const quoted = (value: unknown): string => (/^[\w./:-]+$/.test(String(value)) ? String(value) : `"${value}"`)

/** Two command lines to start from: the least that must be asked, then another value of an enumeration. */
export const examplesOf = (query: AnyQuery): string[] => {
  const params = Object.entries(paramsOf(query))
  const required = params.filter(([, { isRequired }]) => isRequired)
  const asked = required.length > 0 ? required : params.filter(([, { examples }]) => examples).slice(0, 1)
  const shortest = [
    `shelfmark ${query.group} ${query.name}`,
    ...asked.map(([name, { examples }]) => `--${name} ${quoted(examples?.[0] ?? name.toUpperCase())}`),
  ].join(' ')
  const [variation = ''] = params.flatMap(([name, { enum: values, default: usual }]) =>
    values && usual !== undefined ? [` --${name} ${values.find((value) => value !== usual)}`] : [],
  )
  return [shortest, `${shortest}${variation} --csv`]
}

/** The options of every command, without those that are listed among its parameters. */
const optionLines = (width: number, listed: readonly string[]): string[] =>
  Object.entries(globalOptions)
    .filter(([name]) => !listed.includes(name))
    .flatMap(([name, { takes = '', about }]) =>
      labelled(`  --${name.replaceAll('_', '-')} ${takes}`, about, INDENT, width),
    )

const footing = (width: number, style: Style, listed: readonly string[] = []): string[] => [
  style.bold('Options'),
  ...optionLines(width, listed),
  '',
  `Exit codes: ${EXIT_CODES}.`,
]

/** A parameter; of one that is an option too, what the command line takes. */
const paramLines = (name: string, schema: Param, width: number): string[] => {
  const option = globalOptions[name]
  const value = option?.takes ?? takes(schema)
  return labelled(`  --${name} ${value}`, option?.about ?? about(schema), INDENT, width)
}

const queryHelp = (query: AnyQuery, width: number, style: Style): string[] => {
  const command = `shelfmark ${query.group} ${query.name}`
  const params = Object.entries(paramsOf(query))
  return [
    ...titled(command, query.summary, width, style),
    '',
    `Usage: ${command} [--param value ...] [options]`,
    '',
    style.bold('Parameters'),
    ...params.flatMap(([name, schema]) => paramLines(name, schema, width)),
    '',
    style.bold('Examples'),
    ...examplesOf(query).map((example) => `  ${example}`),
    '',
    ...footing(
      width,
      style,
      params.map(([name]) => name),
    ),
  ]
}

const listHelp = (listed: readonly Group[], width: number, style: Style): string[] => [
  `Usage: shelfmark ${listed.length === 1 ? listed[0] : 'GROUP'} NAME [--param value ...] [options]`,
  'Parameters and examples of a command: shelfmark GROUP NAME --help.',
  'In a checkout: npm run -s shelfmark -- GROUP NAME ...',
  '',
  ...listed.flatMap((group) => [
    style.bold(group),
    ...queries
      .filter((query) => query.group === group)
      .flatMap(({ name, summary }) => labelled(`  ${name}`, summary, INDENT, width)),
    '',
  ]),
  ...footing(width, style),
]

/** Help at every level, from the list of queries and their schemas. */
export const helpText = ({ group, query }: HelpRequest, width: number, style: Style): string[] => {
  if (query) return queryHelp(query, width, style)
  const listed = groups.filter((name) => queries.some((query) => query.group === name))
  return listHelp(group ? [group] : listed, width, style)
}
