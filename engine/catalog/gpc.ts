import { groupBy } from './group-by.ts'
import { phraseKey } from './text.ts'

export const gpcLevels = ['segment', 'family', 'class', 'brick'] as const
export type GpcLevel = (typeof gpcLevels)[number]

/** A node of GS1 GPC. An inactive one has left the standard: `release` is the last that knew it. */
export type GpcNode = {
  /** Numbered depth first, so that a subtree is an interval; null where inactive. */
  gpc_id: number | null
  gpc_last: number | null
  release: string
  code: string
  level: GpcLevel
  title: string
  active: boolean
  segment_code: string | null
  family_code: string | null
  class_code: string | null
  /** Titles, null below the node's own level. */
  segment: string | null
  family: string | null
  class: string | null
  attribute_count: number
}
export type ActiveGpcNode = GpcNode & { gpc_id: number; gpc_last: number }

/** One release in memory, without definitions and attributes. */
export type Gpc = {
  /** The label, such as `v20251127`; null where none is loaded. */
  release: string | null
  node(code: string): ActiveGpcNode | undefined
  at(gpc_id: number): ActiveGpcNode | undefined
  retired(code: string): GpcNode | undefined
  /** The node that answers for a code: for a class with a single brick of the same title, that brick. */
  answering(code: string): ActiveGpcNode | undefined
  /** The nodes right below, in code order. */
  children(node: GpcNode): readonly ActiveGpcNode[]
  /** The nodes whose titles begin with a phrase as a whole, in code order: `coffee` begins `Coffee - Ground`. */
  headed(phrase: string): readonly ActiveGpcNode[]
}

const isActive = (node: GpcNode): node is ActiveGpcNode => node.active && node.gpc_id !== null && node.gpc_last !== null

const parentCode = ({ level, segment_code, family_code, class_code }: GpcNode): string =>
  ({ segment: null, family: segment_code, class: family_code, brick: class_code })[level] ?? ''

/** What a title says before it distinguishes: `Milk (Frozen)`, `Fans - Ceiling`, `Games/Puzzles`. */
const headOf = (title: string): string => phraseKey(title.split(/ - | \(|\//, 1)[0]!)

/** Indexes the nodes of a release, and those that have left the standard. */
export const createGpc = (nodes: readonly GpcNode[]): Gpc => {
  const active = nodes.filter(isActive).sort((a, b) => (a.code < b.code ? -1 : 1))
  const byCode = new Map(active.map((node) => [node.code, node]))
  const byId = new Map(active.map((node) => [node.gpc_id, node]))
  const gone = new Map(nodes.filter((node) => !node.active).map((node) => [node.code, node]))
  const byParent = groupBy(active, parentCode)
  const byHead = groupBy(active, ({ title }) => headOf(title))
  const children = ({ code }: GpcNode) => byParent.get(code) ?? []
  return {
    release: active[0]?.release ?? null,
    node: (code) => byCode.get(code),
    at: (gpc_id) => byId.get(gpc_id),
    retired: (code) => gone.get(code),
    answering(code) {
      const node = byCode.get(code)
      const [only, other] = node?.level === 'class' ? children(node) : []
      return only && !other && only.title === node?.title ? only : node
    },
    children,
    headed: (phrase) => byHead.get(phraseKey(phrase)) ?? [],
  }
}
