/** A node of a release in the official JSON form, its children below it. */
type Node = { code: string; title: string; below?: readonly Node[]; active?: boolean }

const official = (nodes: readonly Node[], level = 1): unknown[] =>
  nodes.map(({ code, title, below = [], active = true }) => ({
    Level: level,
    Code: Number(code),
    Title: title,
    Definition: `What is ${title.toLowerCase()}.`,
    DefinitionExcludes: null,
    Active: active,
    Childs: official(below, level + 1),
  }))

/** A release as published: six levels, from segments down to the values of attributes. */
export const releaseOf = (nodes: readonly Node[]): string =>
  JSON.stringify({ LanguageCode: 'EN', DateUtc: '1/2/2026', Schema: official(nodes) })

const roast = {
  code: '20000903',
  title: 'Roast',
  below: [
    { code: '30000001', title: 'DARK' },
    { code: '30000002', title: 'LIGHT' },
  ],
}

/** Coffee by three bricks, a class with a brick of its own title, and hoses. */
export const release: readonly Node[] = [
  {
    code: '50000000',
    title: 'Food/Beverage',
    below: [
      {
        code: '50200000',
        title: 'Beverages',
        below: [
          {
            code: '50202600',
            title: 'Coffee',
            below: [
              { code: '10000115', title: 'Coffee - Instant' },
              { code: '10008178', title: 'Coffee - Beans', below: [roast] },
              { code: '10008179', title: 'Coffee - Ground', below: [roast] },
            ],
          },
          { code: '50202700', title: 'Tea', below: [{ code: '10000116', title: 'Tea' }] },
        ],
      },
    ],
  },
  {
    code: '81000000',
    title: 'Lawn/Garden Supplies',
    below: [
      {
        code: '81010000',
        title: 'Watering',
        below: [{ code: '81010100', title: 'Hoses', below: [{ code: '10003387', title: 'Hoses - Garden' }] }],
      },
    ],
  },
]

export const SSSOM_HEADING =
  'subject_id\tsubject_label\tpredicate_id\tpredicate_modifier\tobject_id\tmapping_justification\tassurance_state'

type Line = { subject: string; predicate?: string; not?: boolean; object: string; state?: string; by?: string }

/** A crosswalk of these lines; the first is on line 3 of the file. */
export const crosswalkOf = (lines: readonly Line[], version = 'map-20260201.1'): string => {
  const rows = lines.map(({ subject, predicate = 'exactMatch', not, object, state = 'curated', by }) =>
    [
      ...[
        `amzn-${subject}`,
        '',
        `skos:${predicate}`,
        not ? 'Not' : '',
        object === 'none' ? 'sssom:NoTermFound' : `gpc:${object}`,
      ],
      ...[`semapv:${by ?? 'ManualMappingCuration'}`, state],
    ].join('\t'),
  )
  return `${[`# mapping_set_version: ${version}`, SSSOM_HEADING, ...rows].join('\n')}\n`
}

export const LEXICON_HEADING = 'phrase,outcome,gpc_code,candidate_codes,reason,author,reviewed_at,note'
export const lexiconOf = (...lines: readonly string[]): string => `${[LEXICON_HEADING, ...lines].join('\n')}\n`

export const BROWSE_HEADING = 'marketplace,browse_id,name,parent_id,path_ids'
/** A tree of nodes as `us,3,Coffee,2,1|2|3`. */
export const browseOf = (...lines: readonly string[]): string => `${[BROWSE_HEADING, ...lines].join('\n')}\n`

/** A file of official series. */
export const officialOf = (...lines: readonly string[]): string =>
  `${['source,series,country,period,value,released_on,title,unit', ...lines].join('\n')}\n`

const monthOf = (months: number): string => new Date(Date.UTC(2025, 6 + months)).toISOString().slice(0, 7)

/** Figures of eighteen months from July 2025 in both countries, each released on the 12th of the next month. */
const figures = ['us', 'ca'].flatMap((country) =>
  Array.from(
    { length: 18 },
    (_, i) =>
      `sample,coffee,${country},${monthOf(i)},${(7 + 0.05 * i + 0.1 * (i % 3)).toFixed(3)},${monthOf(i + 1)}-12,Coffee,per lb`,
  ),
)

/** Reference feeds that answer every reference query, with a miss of each kind beside the hits. */
export const referenceFeeds: Readonly<Record<string, string>> = {
  'official_series/figures.csv': officialOf(...figures),
  'gpc_release/GPC as of February 2026 v20260201 GB.json': releaseOf(release),
  'browse_nodes/nodes.csv': browseOf(
    'us,1,Grocery,,1',
    'us,2,Beverages,1,1|2',
    'us,3,Coffee,2,1|2|3',
    'us,4,Ground Coffee,3,1|2|3|4',
    'us,5,Coffee Accessories,3,1|2|3|5',
    'ca,3,Café,2,1|2|3',
  ),
  'browse_node_gpc_map/map.sssom.tsv': crosswalkOf([
    { subject: 'us:3', object: '50202600' },
    { subject: 'ca:77', predicate: 'closeMatch', object: '10000116', state: 'verified' },
  ]),
  'lexicon/lexicon.csv': lexiconOf(
    'coffee,miss,,10000115|10008178|10008179,ambiguous,tests,2026-02-01,"instant, beans or ground"',
    'ground coffees,hit,10008179,,,tests,2026-02-01,',
    'teas,hit,50202700,,,tests,2026-02-01,',
    'coffee drinks,hit,50202600,,,tests,2026-02-01,',
    'kids,miss,,,need_type,tests,2026-02-01,an audience',
  ),
}
