import { createHash } from 'node:crypto'
import { type Group, queries } from '../../engine/index.ts'
import { type ParamsOf, queryText } from './llms.ts'
import { guidance, type Terms } from './openapi-payment.ts'

/** What an agent can do with the service, by the Agent Skills format (agentskills.io). */
type Skill = { name: string; description: string; title: string; groups: readonly Group[]; steps: readonly string[] }

const SKILLS: readonly Skill[] = [
  {
    name: 'shelfmark-shopping',
    description:
      'Finds what a product costs at online retailers now, whether a price is low for it, where a basket is cheapest and whether ' +
      'a discount is real. Use for questions about prices of products, deals and price histories.',
    title: 'Prices for shoppers',
    groups: ['shopper'],
    steps: [
      'Pass the words of the question as `q`, with brand and size where they are named; `q` may be a barcode, too.',
      'A refusal is free. If it names several products, ask which one is meant and send its `product_uid`; if nothing is here, say so and offer what the refusal calls nearest.',
      'Quote the price with its currency, retailer and `observed_at`, and say what `left_out` and `ambiguous` mean where they are set.',
      'Compare sizes by `unit_price`, never by `price`.',
    ],
  },
  {
    name: 'shelfmark-analytics',
    description:
      'Measures retail prices: inflation of a category, dispersion, price levels of retailers, share of shelf, promotions and brands, ' +
      'with intervals and provenance. Use for questions about how prices of a category or retailer move or compare.',
    title: 'Statistics of retail prices',
    groups: ['analyst', 'marketing', 'social'],
    steps: [
      'Find the name of the category, brand or retailer with the free queries, then pass it as it is written there.',
      'Quote the figure that the page of the query calls the one to quote, with its interval, where it has one, and its window.',
      'Read the fields that end in `_note` and those about the sample first: a figure of a small sample is to be called uncertain.',
      'The same query with `as_of` gives the same bytes later: cite it with the snapshot in `meta`.',
    ],
  },
  {
    name: 'shelfmark-paying',
    description:
      'Pays Shelfmark for an answer by HTTP 402 with x402 or MPP, once, within a budget, and again after a failure without paying twice. ' +
      'Use when a request to this service was answered with 402.',
    title: 'Paying for answers',
    groups: [],
    steps: [
      'Ask for a quote or send the request without payment: what cannot be answered is refused free of charge.',
      'Check the amount of the offer against the budget before signing; one payment buys the answers to a batch of questions.',
      'Repeat the very same request with the payment. After a 503 or a lost connection send the same payment again: it is taken once.',
      'Keep the receipt header with the answer.',
    ],
  },
]

const FREE: readonly Group[] = ['public']

const skillText = (
  { name, description, title, groups, steps }: Skill,
  base_url: string,
  terms: Terms,
  paramsOf: ParamsOf,
) => {
  const usable = queries.filter(({ group }) => [...groups, ...FREE].includes(group))
  return [
    `---\nname: ${name}\ndescription: ${description}\n---`,
    `# ${title}`,
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    guidance(terms),
    ...(groups.length > 0
      ? ['## Queries', usable.map((query) => queryText(query, base_url, paramsOf)).join('\n')]
      : []),
    `Every parameter: ${base_url}/llms.txt. What a query means, with every field: ${base_url}/queries/GROUP/NAME with Accept: text/markdown.`,
    '',
  ].join('\n\n')
}

const FOLDER = '/.well-known/agent-skills'
/** Where agents look for skills. */
export const SKILL_INDEX = `${FOLDER}/index.json`

/** The skills by the path of their document. */
export const skillDocuments = (terms: Terms) =>
  SKILLS.map(
    (skill) =>
      [
        `${FOLDER}/${skill.name}/SKILL.md`,
        (base_url: string, paramsOf: ParamsOf) => skillText(skill, base_url, terms, paramsOf),
      ] as const,
  )

/** The index of the skills, each with the SHA-256 of its document (Agent Skills Discovery 0.2.0). */
export const skillIndex = (base_url: string, terms: Terms, paramsOf: ParamsOf): string =>
  JSON.stringify({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: SKILLS.map((skill) => ({
      name: skill.name,
      type: 'skill-md',
      description: skill.description,
      url: `${FOLDER}/${skill.name}/SKILL.md`,
      digest: `sha256:${createHash('sha256')
        .update(skillText(skill, base_url, terms, paramsOf))
        .digest('hex')}`,
    })),
  })
