import type { AnswerValues, Headline } from '../headline.ts'

/** The colours of marks; their values are the reader's: `var(--accent)` and so on. */
export type PlotColour = 'accent' | 'second' | 'green' | 'violet' | 'olive' | 'ink' | 'grey'

/** The meaning of a mark. */
export type KeyEntry = {
  mark: 'line' | 'dashed' | 'band' | 'bar' | 'dot' | 'hollow' | 'hatch'
  colour: PlotColour
  text: string
}

/** A plot of an answer, drawn for a wide and a narrow column. */
export type Plot = {
  /** What is drawn, such as "Average price of coffee by month". */
  title: string
  /** Unit, country and base, such as "USD per listing, United States; the axis starts at $30". */
  unit: string
  key: readonly KeyEntry[]
  /** An SVG of WIDE pixels. Its colours are attributes such as `var(--accent)`; it has no styles and no ids. */
  wide: string
  /** The same in NARROW pixels. */
  narrow: string
  /** What a reader should beware of. */
  note?: string
}

/** An answer of one query, by what it is compared by. */
export type ComparedAnswer = { name: string; answer: AnswerValues }
/** The same with its main figure, if it has one. */
export type QuotedAnswer = ComparedAnswer & { headline: Headline | null }

/** The widths of the two drawings in pixels. */
export const WIDE = 772
export const NARROW = 354
