/** The options of `npm run bench`, as the cases receive them. */
export type BenchOptions = {
  /** About how many observations the lake or the feeds of a case contain. */
  observations: number
  /** About how many listings the lake of `memory` contains. */
  listings: number
  /** The folder in which feeds and lakes are kept from run to run. */
  cache: string
  /** Only queries whose id contains this text. */
  query?: string | undefined
  /** Only scopes whose name contains this text. */
  scope?: string | undefined
  /** Random queries to compare. */
  queries: number
  /** Measurements of each variant at most. */
  runs: number
  /** The lake to measure on, instead of one that is made. */
  lake?: string | undefined
  /** Addresses of clusters, of one node and of three. */
  one?: string | undefined
  three?: string | undefined
  /** The name of the cluster of three. */
  cluster?: string | undefined
  /** The file to write recorded answers to. */
  out?: string | undefined
  /** The file with recorded answers to compare with. */
  against?: string | undefined
}
