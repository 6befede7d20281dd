import type { Gpc } from '../blocks.ts'
import type { Catalog } from './catalog.ts'

/** The product type of a listing, as its row has it: null where nothing tells it. */
export type Typed = { gpc_id: number | null; gpc_precision: string | null; gpc_source: string | null }

/** The GS1 GPC product type of a listing, with its ancestry; null where nothing tells it. Never fails. */
export const gpcOf = ({ gpc_id, gpc_precision, gpc_source }: Typed, { reference }: Catalog): Gpc | null => {
  const node = gpc_id === null ? undefined : reference.gpc.at(gpc_id)
  if (!node || gpc_precision === null || gpc_source === null) return null
  const { code, title, level, segment, family } = node
  return {
    code,
    title,
    level,
    segment,
    family,
    class: node.class,
    brick: level === 'brick' ? title : null,
    match_precision: gpc_precision,
    match_source: gpc_source,
  }
}
