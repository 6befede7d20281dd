import { z } from 'zod'
import { dollars, prices } from '../../api/ops/prices.ts'
import { queries } from '../../engine/index.ts'

const price = ({ group }: (typeof queries)[number]): string => (prices[group] ? `$${dollars(prices[group])}` : 'free')

type Parameter = { default?: unknown }

const parameters = (query: (typeof queries)[number]): string => {
  const { properties = {}, required = [] } = z.toJSONSchema(query.params, { io: 'input' }) as {
    properties?: Record<string, Parameter>
    required?: string[]
  }
  const names = Object.entries(properties).map(([name, { default: value }]) =>
    required.includes(name) ? `**${name}**` : value === undefined ? name : `${name}=${value}`,
  )
  return names.join(', ') || '-'
}

/** The table of queries: address, parameters (bold: required, with defaults), price and what each answers. */
export const queryTable = (): string =>
  [
    '| query | parameters (bold: required) | price | answers |',
    '|---|---|---|---|',
    ...queries.map(
      (query) => `| \`/v1/${query.group}/${query.name}\` | ${parameters(query)} | ${price(query)} | ${query.summary} |`,
    ),
  ].join('\n')

/** The file of the queries that the help of `shelfmark` lists. */
export const commandList = (): string =>
  `${JSON.stringify(
    queries.map(({ group, name, summary }) => ({ group, name, summary })),
    null,
    2,
  )}\n`
