import { z } from 'zod'
import { type Gpc, groupBy } from '../../engine/index.ts'
import { type DelimitedLine, lineFault } from './delimited.ts'

const PREDICATES = ['exactMatch', 'closeMatch', 'broadMatch', 'narrowMatch', 'relatedMatch'] as const
export type Precision = (typeof PREDICATES)[number]

const STATES = ['verified', 'curated', 'derived', 'candidate', 'rejected', 'stale'] as const
export type AssuranceState = (typeof STATES)[number]
export const SERVED_STATES: readonly AssuranceState[] = ['verified', 'curated', 'derived']

/** The state of a mapping whose line has none, by its justification. */
const STATE_OF = {
  'semapv:MappingReview': 'verified',
  'semapv:ManualMappingCuration': 'curated',
  'semapv:MappingChaining': 'derived',
  'semapv:LexicalMatching': 'candidate',
} as const satisfies Record<string, AssuranceState>

export const mappingRow = z.strictObject({
  marketplace: z.string(),
  browse_id: z.string(),
  predicate: z.enum(PREDICATES),
  /** Null if the node has no GPC code. */
  gpc_code: z.string().nullable(),
  /** Whether the mapping is declared to be wrong. */
  is_not: z.boolean(),
  assurance_state: z.enum(STATES),
  mapping_set_version: z.string().nullable(),
})
/** One line of a crosswalk. */
export type CrosswalkMapping = Omit<z.output<typeof mappingRow>, 'mapping_set_version'>
export type CrosswalkLine = CrosswalkMapping & { file: string; line: number }

const oneOf = <T extends string>(values: readonly T[]) => z.enum(values, `expected one of ${values.join(', ')}`)

const sssom = z.object({
  subject_id: z
    .string('expected a node id such as amzn-us:565108')
    .regex(/^amzn-[a-z]{2}:\d{1,20}$/, 'expected amzn-us:, amzn-ca: or another country, and 1 to 20 digits'),
  predicate_id: oneOf(PREDICATES.map((predicate) => `skos:${predicate}` as const)),
  object_id: z
    .string('expected a GPC code such as gpc:10001145')
    .regex(/^(?:gpc:\d{8}|sssom:NoTermFound)$/, 'expected gpc: and 8 digits, or sssom:NoTermFound'),
  mapping_justification: oneOf(Object.keys(STATE_OF) as (keyof typeof STATE_OF)[]),
  predicate_modifier: oneOf(['Not']).nullish(),
  assurance_state: oneOf(STATES).nullish(),
})

/** The mapping of an SSSOM line, or what is wrong with it. */
export const readMapping = (file: string, line: DelimitedLine): CrosswalkLine | string => {
  const read = sssom.safeParse(line.record)
  if (!read.success) return lineFault(file, line, read.error)
  const { subject_id, predicate_id, object_id, mapping_justification, predicate_modifier, assurance_state } = read.data
  return {
    marketplace: subject_id.slice('amzn-'.length, 'amzn-us'.length),
    browse_id: subject_id.slice('amzn-us:'.length),
    predicate: predicate_id.slice('skos:'.length) as Precision,
    gpc_code: object_id === 'sssom:NoTermFound' ? null : object_id.slice('gpc:'.length),
    is_not: predicate_modifier === 'Not',
    assurance_state: assurance_state ?? STATE_OF[mapping_justification],
    file,
    line: line.number,
  }
}

/** The version in a crosswalk's remarks. */
export const versionIn = (remarks: readonly string[]): string | undefined =>
  remarks.flatMap((remark) => /^mapping_set_version:\s*"?([^"\s]+)"?$/.exec(remark)?.[1] ?? [])[0]

const isServed = ({ assurance_state }: CrosswalkMapping): boolean => SERVED_STATES.includes(assurance_state)
const placeOf = ({ file, line }: CrosswalkLine): string => `${file}:${line}`

/** Whether two lines for a node have different codes, or the same code as both correct and wrong. */
const isConflict = (a: CrosswalkMapping, b: CrosswalkMapping): boolean => {
  if (a.is_not && b.is_not) return false
  return a.is_not === b.is_not ? a.gpc_code !== b.gpc_code : a.gpc_code === b.gpc_code
}

const describe = (mapping: CrosswalkLine): string =>
  `${mapping.is_not ? 'not ' : ''}${mapping.gpc_code ?? 'no code'} at ${placeOf(mapping)}`

/** The pairs of served lines that conflict. */
export const conflicts = (mappings: readonly CrosswalkLine[]): string[] => {
  const byNode = groupBy(mappings.filter(isServed), ({ marketplace, browse_id }) => `${marketplace}:${browse_id}`)
  return [...byNode].flatMap(([node, lines]) =>
    lines.flatMap((a, index) =>
      lines
        .slice(index + 1)
        .filter((b) => isConflict(a, b))
        .map((b) => `amzn-${node} has conflicting mappings: ${describe(a)}, ${describe(b)}`),
    ),
  )
}

/** Served lines with a code that no release has. A retired code is not an error: its mapping is stale. */
export const unknownCodes = (mappings: readonly CrosswalkLine[], gpc: Gpc): string[] =>
  mappings
    .filter((mapping) => isServed(mapping) && mapping.gpc_code !== null)
    .filter(({ gpc_code }) => !gpc.node(gpc_code!) && !gpc.retired(gpc_code!))
    .map((mapping) => `${placeOf(mapping)}: gpc:${mapping.gpc_code} is not in release ${gpc.release}`)
