import { z } from 'zod'
import { type Gpc, groupBy } from '../../engine/index.ts'
import type { TableRow } from './reference-table.ts'

const PREDICATES = ['exactMatch', 'closeMatch', 'broadMatch', 'narrowMatch', 'relatedMatch'] as const
export type Precision = (typeof PREDICATES)[number]

const STATES = ['verified', 'curated', 'derived', 'candidate', 'rejected', 'stale'] as const
export type AssuranceState = (typeof STATES)[number]
export const SERVED_STATES: readonly AssuranceState[] = ['verified', 'curated', 'derived']

/** What a mapping is worth where nobody says: one reviewed is verified, one made by a person curated. */
const STATE_OF = {
  'semapv:MappingReview': 'verified',
  'semapv:ManualMappingCuration': 'curated',
  'semapv:MappingChaining': 'derived',
  'semapv:LexicalMatching': 'candidate',
} as const satisfies Record<string, AssuranceState>

/** One line of a crosswalk. `gpc_code` is null where the node is known to have no GPC code. */
export type Mapping = {
  marketplace: string
  browse_id: string
  predicate: Precision
  gpc_code: string | null
  /** Known to be wrong. */
  is_not: boolean
  assurance_state: AssuranceState
}
export type TracedMapping = Mapping & { file: string; line: number }

const oneOf = <T extends string>(values: readonly T[]) => z.enum(values, `expected one of ${values.join(', ')}`)

const sssom = z.object({
  subject_id: z
    .string('expected a node id such as amzn-us:565108')
    .regex(/^amzn-(?:us|ca):\d{1,20}$/, 'expected amzn-us: or amzn-ca: and 1 to 20 digits'),
  predicate_id: oneOf(PREDICATES.map((predicate) => `skos:${predicate}` as const)),
  object_id: z
    .string('expected a GPC code such as gpc:10001145')
    .regex(/^(?:gpc:\d{8}|sssom:NoTermFound)$/, 'expected gpc: and 8 digits, or sssom:NoTermFound'),
  mapping_justification: oneOf(Object.keys(STATE_OF) as (keyof typeof STATE_OF)[]),
  predicate_modifier: oneOf(['Not']).nullish(),
  assurance_state: oneOf(STATES).nullish(),
})

/** A mapping of an SSSOM line, or what is wrong with it. */
export const readMapping = (file: string, { line, record }: TableRow): TracedMapping | string => {
  const read = sssom.safeParse(record)
  if (!read.success) {
    const [issue] = read.error.issues
    const field = issue?.path.join('.') ?? ''
    return `${file}:${line}: ${field} is ${JSON.stringify(record[field] ?? null)}; ${issue?.message}`
  }
  const { subject_id, predicate_id, object_id, mapping_justification, predicate_modifier, assurance_state } = read.data
  return {
    marketplace: subject_id.slice('amzn-'.length, 'amzn-us'.length),
    browse_id: subject_id.slice('amzn-us:'.length),
    predicate: predicate_id.slice('skos:'.length) as Precision,
    gpc_code: object_id === 'sssom:NoTermFound' ? null : object_id.slice('gpc:'.length),
    is_not: predicate_modifier === 'Not',
    assurance_state: assurance_state ?? STATE_OF[mapping_justification],
    file,
    line,
  }
}

const isServed = ({ assurance_state }: Mapping): boolean => SERVED_STATES.includes(assurance_state)
const placeOf = ({ file, line }: TracedMapping): string => `${file}:${line}`

/** What two served lines about one node may not say: different codes, or a code and that it is wrong or that there is none. */
const disagree = (a: Mapping, b: Mapping): boolean => {
  if (a.is_not && b.is_not) return false
  return a.is_not === b.is_not ? a.gpc_code !== b.gpc_code : a.gpc_code === b.gpc_code
}

const sayOf = ({ gpc_code, is_not }: Mapping): string => `${is_not ? 'not ' : ''}${gpc_code ?? 'no code'}`

/** The pairs of lines that contradict each other about a node. */
export const conflicts = (mappings: readonly TracedMapping[]): string[] => {
  const bySubject = groupBy(mappings.filter(isServed), ({ marketplace, browse_id }) => `${marketplace}:${browse_id}`)
  return [...bySubject].flatMap(([subject, told]) =>
    told.flatMap((a, at) =>
      told
        .slice(at + 1)
        .filter((b) => disagree(a, b))
        .map((b) => `amzn-${subject} maps to ${sayOf(a)} at ${placeOf(a)} and to ${sayOf(b)} at ${placeOf(b)}`),
    ),
  )
}

/** Served lines whose code no release has. A code that has left the standard is no fault: its mapping goes stale. */
export const unknownCodes = (mappings: readonly TracedMapping[], gpc: Gpc): string[] =>
  mappings
    .filter((mapping) => isServed(mapping) && mapping.gpc_code !== null)
    .filter(({ gpc_code }) => !gpc.node(gpc_code!) && !gpc.retired(gpc_code!))
    .map((mapping) => `${placeOf(mapping)}: gpc:${mapping.gpc_code} is not in the release ${gpc.release}`)
