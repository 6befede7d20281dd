/** A node of the category taxonomy; `product_count` counts the listings of its subtree. */
export type CategoryNode = {
  category_id: number
  category_last: number
  path: string
  name: string
  parent_path: string | null
  department: string
  depth: number
  accessory_depth: number
  is_accessory: boolean
  aliases: readonly string[]
  gpc_codes: readonly string[]
  product_count: number
}

/** A node that an input may match; `match_confidence` is in 0..1, with four decimals. */
export type CategoryMatch = {
  node: CategoryNode
  match_confidence: number
  match_source:
    | 'gpc'
    | 'path'
    | 'breadcrumb'
    | 'path_suffix'
    | 'name'
    | 'alias'
    | 'tokens'
    | 'substring'
    | 'fuzzy'
    | 'department'
}
