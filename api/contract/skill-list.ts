import { type Group, queries } from '../../engine/index.ts'

/** What an agent can do with the service, by the Agent Skills format (agentskills.io). */
export type Skill = {
  name: string
  description: string
  title: string
  groups: readonly Group[]
  steps: readonly string[]
}

export const skills: readonly Skill[] = [
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

/** The queries that a skill is about, and those that are free. */
export const queriesOf = ({ groups }: Skill) => queries.filter(({ group }) => [...groups, ...FREE].includes(group))

/** The sections that every document of a skill begins with. */
export const skillHead = ({ name, description, title, steps }: Skill): string[] => [
  `---\nname: ${name}\ndescription: ${description}\n---`,
  `# ${title}`,
  steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
]
