import type { Gpc } from '../blocks.ts'
import type { Catalog } from './catalog.ts'

/** What the GPC product type of a listing is read from. */
export type Classified = { category_id: number }

/** The GS1 GPC product type of a listing; null where its category has none. Never fails. */
export const gpcOf = (_classified: Classified, _catalog: Catalog): Gpc | null => null
