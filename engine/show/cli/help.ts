import { definitionParts } from '../../contract/definition.ts'
import { rangeOf } from '../../contract/expectation.ts'
import { type ParamField, paramFields } from '../../contract/param-fields.ts'
import { commandLine } from '../../contract/program.ts'
import { paramsOfExample } from '../../contract/required.ts'
import type { AnyQuery } from '../../queries/query.ts'
import { type AnswerField, answerFields, meaningOf, unitsOf, withInner } from '../answer-fields.ts'
import { capitalised } from '../words.ts'
import type { HelpRequest } from './command.ts'
import { globalOptions } from './global-options.ts'
import { footing, INDENT, listHelp, usage } from './help-list.ts'
import { inCommands, labelled, type Style, titled, wrap } from './terminal.ts'

const FIELD_INDENT = 28

const isShort = (values: readonly unknown[]): boolean => values.join('|').length < 8

const placeholderOf = ({ type, enum: values, anyOf }: ParamField): string => {
  if (values) return isShort(values) ? values.join('|') : 'NAME'
  if (type === 'boolean') return ''
  if (type === 'integer' || type === 'number') return 'N'
  return anyOf ? 'TIME' : 'TEXT'
}

const descriptionOf = (schema: ParamField): string =>
  [
    schema.isRequired && 'Required.',
    schema.description && inCommands(schema.description),
    schema.enum && !isShort(schema.enum) && `One of ${schema.enum.join(', ')}.`,
    rangeOf(schema) && `${capitalised(rangeOf(schema))}.`,
    schema.default !== undefined && `Default ${schema.default}.`,
    schema.examples && `Example: ${schema.examples.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ')

const quoted = (value: unknown): string => (/^[\w./:-]+$/.test(String(value)) ? String(value) : `"${value}"`)

/** Two example command lines: one with the parameters that it needs only, one with a non-default choice and CSV. */
export const examplesOf = (query: AnyQuery): string[] => {
  const params = paramFields(query)
  const shortest = [
    `${query.group} ${query.name}`,
    ...paramsOfExample(query).map(({ name, examples }) => `--${name} ${quoted(examples?.[0] ?? name.toUpperCase())}`),
  ].join(' ')
  const [variation = ''] = params.flatMap(({ name, enum: values, default: usual }) =>
    values && usual !== undefined ? [` --${name} ${values.find((value) => value !== usual)}`] : [],
  )
  return [shortest, `${shortest}${variation} --csv`].map((args) => commandLine('shelfmark', args))
}

/** A command line broken into lines with trailing backslashes. */
const continued = (command: string, width: number): string[] => {
  const lines = wrap(command, width - 6)
  return lines.map((line, i) => `${i === 0 ? '' : '  '}  ${line}${i < lines.length - 1 ? ' \\' : ''}`)
}

/** A parameter; if it is a global option too, the option's description. */
const paramLines = (param: ParamField, width: number): string[] => {
  const { name } = param
  const option = globalOptions[name]
  const value = option?.value ?? placeholderOf(param)
  return labelled(`  --${name} ${value}`, option?.description ?? descriptionOf(param), INDENT, width)
}

/** The definition of a query in paragraphs. */
const definitionLines = ({ definition }: AnyQuery, width: number, style: Style): string[] => [
  style.bold('Definition'),
  ...definitionParts(definition).flatMap(([name, texts]) =>
    labelled(`  ${name}`, texts.join(' ').replaceAll('`', ''), 14, width),
  ),
]

/** A field with its title and unit, indented below its parent; names of lists end in []. */
const fieldLines = (field: AnswerField, width: number): string[] => {
  const { path, title, unit } = field
  const names = path.split('.')
  const text = `${title}${unit ? ` (${unit})` : ''}. ${inCommands(meaningOf(field))}`.trimEnd()
  return labelled(`${'  '.repeat(names.length)}${names.at(-1)}`, text, FIELD_INDENT, width)
}

/** The fields of an answer and the units they have. */
const answerLines = (query: AnyQuery, width: number, style: Style): string[] => {
  const fields = withInner(answerFields(query))
  return [
    style.bold('Answer'),
    ...fields.flatMap((field) => fieldLines(field, width)),
    '',
    style.bold('Units'),
    ...unitsOf(fields).flatMap(([unit, meaning]) => labelled(`  ${unit}`, meaning, FIELD_INDENT, width)),
  ]
}

const queryHelp = (query: AnyQuery, width: number, style: Style): string[] => {
  const command = `${query.group} ${query.name}`
  const params = paramFields(query)
  return [
    ...titled(`shelfmark ${command}`, query.summary, width, style),
    '',
    ...usage(command, width),
    '',
    style.bold('Parameters'),
    ...params.flatMap((param) => paramLines(param, width)),
    '',
    style.bold('Examples'),
    ...examplesOf(query).flatMap((example) => continued(example, width)),
    '',
    ...footing(
      width,
      style,
      params.map(({ name }) => name),
    ),
    '',
    ...definitionLines(query, width, style),
    '',
    ...answerLines(query, width, style),
  ]
}

/** Help for the command, a group or a query, generated from the list of queries and their schemas. */
export const helpText = ({ group, query }: HelpRequest, width: number, style: Style): string[] =>
  query ? queryHelp(query, width, style) : listHelp(group ?? null, width, style)
