import {
  type AnswerField,
  type AnyQuery,
  answerFields,
  meaningOf,
  queries,
  queryId,
  requiredText,
  unitsOf,
  withInner,
} from '../../engine/index.ts'
import { ofLake } from '../contract/of-lake.ts'
import { parametersOf } from '../contract/openapi-schemas.ts'
import { dollars } from '../ops/prices.ts'
import type { QueryClient } from './client.ts'
import { ALL_FIELDS, checkFields, isWithin } from './excerpt.ts'
import { inTools } from './results.ts'

const priceOf = (client: QueryClient, query: AnyQuery): number => Number(dollars(client.priceOf(query)))

/** One line for each query. */
export const listQueries = (client: QueryClient, group?: string | undefined) =>
  queries
    .filter((query) => group === undefined || query.group === group)
    .map((query) => ({
      query: queryId(query),
      summary: query.summary,
      required: requiredText(query),
      price_usd: priceOf(client, query),
    }))

/** A query as a line, from which it can be sent. */
export const queryLine = ({ query, summary, required, price_usd }: ReturnType<typeof listQueries>[number]): string =>
  [`${query}: ${summary}.`, required && `Required: ${required}.`, price_usd > 0 && `${price_usd} USD.`]
    .filter(Boolean)
    .join(' ')

type DescribedParam = { required?: unknown; description: string; enum?: unknown; default?: unknown }

/** The parameters of a description in short. */
export const paramLines = (params: Readonly<Record<string, DescribedParam>>): string[] =>
  Object.entries(params).map(([name, { required, description, enum: choices, default: usual }]) =>
    [
      `- ${name}${required ? ' (required)' : ''}: ${description}`,
      Array.isArray(choices) && `One of ${choices.join(', ')}.`,
      usual !== undefined && `Default ${usual}.`,
    ]
      .filter(Boolean)
      .join(' '),
  )

/** A field as `path (unit): description`, and the names of the fields inside it where these have no lines of their own. */
const fieldLine = (field: AnswerField, inner: readonly AnswerField[]): string => {
  const { path, unit } = field
  return [
    `${path}${unit ? ` (${unit})` : ''}:`,
    inTools(meaningOf(field)),
    inner.length > 0 && `Fields: ${inner.map((field) => field.path.slice(path.length + 1)).join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The fields to describe: those of the first level, and those at or inside the selected paths. */
const selectedFields = (fields: readonly AnswerField[], selected: readonly string[]): AnswerField[] => {
  if (selected.includes(ALL_FIELDS)) return [...fields]
  return fields.filter(({ path }) => !path.includes('.') || selected.some((parent) => isWithin(path, parent)))
}

/** The meaning of a query: definition, parameters, units, and the fields of its answer: `selected` ones in full. */
export const describeQuery = (client: QueryClient, query: AnyQuery, selected: readonly string[] = []) => {
  checkFields(query, selected)
  const all = withInner(answerFields(query))
  const fields = selectedFields(all, selected)
  const innerOf = ({ path }: AnswerField) =>
    fields.some((field) => field.path.startsWith(`${path}.`))
      ? []
      : all.filter((field) => field.path.startsWith(`${path}.`))
  return {
    query: queryId(query),
    summary: query.summary,
    price_usd: priceOf(client, query),
    definition: query.definition,
    params: Object.fromEntries(
      ofLake(parametersOf(query, 'full'), client.countries()).map(({ name, required, description, schema }) => [
        String(name),
        {
          ...(required ? { required } : {}),
          description: inTools(String(description)),
          ...(schema as Record<string, unknown>),
        },
      ]),
    ),
    fields: fields.map((field) => fieldLine(field, innerOf(field))),
    units: Object.fromEntries(unitsOf(fields)),
  }
}
