import { phraseKey } from '../contract/text.ts'
import { groupBy } from './group-by.ts'

export const gpcLevels = ['segment', 'family', 'class', 'brick'] as const
export type GpcLevel = (typeof gpcLevels)[number]

/** A node of GS1 GPC. An inactive node was removed from the standard; `release` is the last that has it. */
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
  /** The label, such as `v20251127`; null if none is loaded. */
  release: string | null
  node(code: string): ActiveGpcNode | undefined
  byId(gpc_id: number): ActiveGpcNode | undefined
  retired(code: string): GpcNode | undefined
  /** The canonical node for a code: for a class with a single brick of the same title, that brick. */
  canonical(code: string): ActiveGpcNode | undefined
  /** The direct children, in code order. */
  children(node: GpcNode): readonly ActiveGpcNode[]
  /** The nodes whose title has a phrase as its head, in code order: `coffee` is the head of `Coffee - Ground`. */
  byTitleHead(phrase: string): readonly ActiveGpcNode[]
}

const isActive = (node: GpcNode): node is ActiveGpcNode => node.active && node.gpc_id !== null && node.gpc_last !== null

const parentCode = ({ level, segment_code, family_code, class_code }: GpcNode): string =>
  ({ segment: null, family: segment_code, class: family_code, brick: class_code })[level] ?? ''

/** The head of a title, before any qualifier: `Milk (Frozen)`, `Fans - Ceiling`, `Games/Puzzles`. */
const headOf = (title: string): string => phraseKey(title.split(/ - | \(|\//, 1)[0]!)

/** Indexes the nodes of a release and the removed ones. */
export const createGpc = (nodes: readonly GpcNode[]): Gpc => {
  const active = nodes.filter(isActive).sort((a, b) => (a.code < b.code ? -1 : 1))
  const byCode = new Map(active.map((node) => [node.code, node]))
  const nodesById = new Map(active.map((node) => [node.gpc_id, node]))
  const inactive = new Map(nodes.filter((node) => !node.active).map((node) => [node.code, node]))
  const byParent = groupBy(active, parentCode)
  const byHead = groupBy(active, ({ title }) => headOf(title))
  const children = ({ code }: GpcNode) => byParent.get(code) ?? []
  return {
    release: active[0]?.release ?? null,
    node: (code) => byCode.get(code),
    byId: (gpc_id) => nodesById.get(gpc_id),
    retired: (code) => inactive.get(code),
    canonical(code) {
      const node = byCode.get(code)
      const [only, other] = node?.level === 'class' ? children(node) : []
      return only && !other && only.title === node?.title ? only : node
    },
    children,
    byTitleHead: (phrase) => byHead.get(phraseKey(phrase)) ?? [],
  }
}
