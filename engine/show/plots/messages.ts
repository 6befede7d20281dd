import type { Plot } from './plot.ts'

/** `answer` is an answer as JSON or, to compare, a list of answers with their names and main figures. */
export type DrawingRequest = { number: number; id: string; answer: string; isComparison: boolean }
export type Drawn = { number: number; plots: readonly Plot[] }
/** What the thread sends once it has loaded what it draws with. */
export const READY = 'ready'
