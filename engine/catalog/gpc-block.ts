import type { GpcBlock } from '../contract/blocks.ts'
import type { Catalog } from './catalog.ts'

/** The columns for the product type of a listing; null if it is unknown. */
export type ProductType = { gpc_id: number | null; gpc_precision: string | null; gpc_source: string | null }

/** The GS1 GPC product type of a listing with its ancestors; null if it is unknown. Never throws. */
export const gpcOf = ({ gpc_id, gpc_precision, gpc_source }: ProductType, { reference }: Catalog): GpcBlock | null => {
  const node = gpc_id === null ? undefined : reference.gpc.byId(gpc_id)
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
