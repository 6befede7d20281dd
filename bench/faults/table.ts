import type { Figure, Measured } from './figure.ts'

export type Line = { figure: Figure; size: number; measured: Measured; seconds: number }

const verdict = ({ held }: Measured): string => (held === null ? 'skipped' : held ? 'held' : 'NOT HELD')

const sizeOf = ({ figure, size }: Line): string =>
  size === figure.full
    ? size.toLocaleString('en')
    : `${size.toLocaleString('en')} of ${figure.full.toLocaleString('en')}`

/** The figures as a Markdown table: what, goal, measured, held or not, rounds requested and completed, losses, and what it would miss. */
export const render = (lines: readonly Line[]): string =>
  [
    '| # | what | goal | measured | verdict | size | rounds | losses | seconds | would miss |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...lines.map((line) => {
      const { figure, measured, seconds } = line
      const cells = [figure.number, figure.what, figure.goal, measured.measured, verdict(measured), sizeOf(line)]
      const counts = [measured.rounds.toLocaleString('en'), measured.losses.toLocaleString('en'), Math.round(seconds)]
      return `| ${[...cells, ...counts, figure.misses].join(' | ')} |`
    }),
  ].join('\n')
