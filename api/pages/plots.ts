import type { AnyQuery } from '../../engine/index.ts'
export type Plot = {
  title: string
  unit: string
  key: readonly {
    mark: 'line' | 'dashed' | 'band' | 'bar' | 'dot' | 'hollow' | 'hatch'
    colour: 'accent' | 'second' | 'grey'
    text: string
  }[]
  wide: string /* svg */
  narrow: string /* svg */
  note?: string
}
export const plotsOf = async (_query: AnyQuery, _answer: unknown): Promise<readonly Plot[]> => []
