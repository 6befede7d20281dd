import type { SamplePlan } from './plan.ts'

/** One file of a feed, the statement of `feeds/` that writes it, and its parameters besides the path. */
export type SampleFile = {
  feed: string
  name: string
  sql: string
  bindings?: Record<string, string | number | boolean>
}

const COUNTRIES = ['us', 'ca']

/** The files of a sample, each written by one COPY so that its order, and so its bytes, are fixed. */
export const feedFiles = ({ months, format }: SamplePlan): SampleFile[] => [
  ...months.flatMap(({ name, day_from, day_to }) =>
    COUNTRIES.map((country) => ({
      feed: 'price_observations',
      name: `${name}-${country}.${format}`,
      sql: `price-observations-${format}`,
      bindings: { country, day_from, day_to },
    })),
  ),
  ...COUNTRIES.map((country) => ({
    feed: 'product_catalogue',
    name: `${country}.${format === 'csv' ? 'jsonl' : format}`,
    sql: `product-catalogue-${format === 'csv' ? 'jsonl' : format}`,
    bindings: { country },
  })),
  { feed: 'category_taxonomy', name: 'taxonomy.csv', sql: 'category-taxonomy' },
  {
    feed: 'gpc_release',
    name: 'sample-gpc-v20250701.json',
    sql: 'gpc-release',
    bindings: { day: '7/1/2025', is_newest: false },
  },
  {
    feed: 'gpc_release',
    name: 'sample-gpc-v20260101.json',
    sql: 'gpc-release',
    bindings: { day: '1/1/2026', is_newest: true },
  },
  { feed: 'browse_nodes', name: 'browse-nodes.csv', sql: 'browse-nodes' },
  { feed: 'browse_node_gpc_map', name: 'sample.sssom.tsv', sql: 'browse-node-gpc-map' },
  { feed: 'lexicon', name: 'lexicon.csv', sql: 'lexicon' },
  { feed: 'social_posts', name: 'posts.jsonl', sql: 'social-posts' },
  { feed: 'official_series', name: 'figures.csv', sql: 'official-series' },
]
