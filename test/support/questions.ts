import { z } from 'zod'
import { queries } from '../../engine/index.ts'

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

/** The README's table of questions: address, parameters (bold: required, with defaults) and what each answers. */
export const questionTable = (): string =>
  [
    '| question | parameters (bold: required) | answers |',
    '|---|---|---|',
    ...queries.map((query) => `| \`/v1/${query.group}/${query.name}\` | ${parameters(query)} | ${query.summary} |`),
  ].join('\n')
