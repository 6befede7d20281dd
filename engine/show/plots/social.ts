import * as Plot from '@observablehq/plot'
import type { Answer } from '../../queries/query.ts'
import type { brandMomentum } from '../../queries/social/brand-momentum.ts'
import type { topicTrends } from '../../queries/social/topic-trends.ts'
import { number } from '../text.ts'
import { categoryName, dayRange } from '../words.ts'
import type { Drawing } from './draw.ts'
import { change } from './format.ts'
import { ACCENT, GREY, PAPER, SECOND } from './marks.ts'
import { drawRows } from './row-plot.ts'
import { MAX_ROWS, type PlotRow } from './rows.ts'
import { unitLine } from './scope.ts'

const colours = { new: ACCENT, rising: ACCENT, falling: SECOND, flat: GREY }

type Movement = { name: string; before: number; now: number; status: keyof typeof colours; growth_pct: number | null }
type Social = Pick<
  Answer<typeof brandMomentum>,
  'category' | 'window_days' | 'platform' | 'snapshot' | 'thin_base_rows' | 'coverage'
>

/** A number before and now; `colour` is an attribute. */
type DumbbellRow = PlotRow & { before: number; now: number; colour: string }

const ROW_HEIGHT = 24

/** Two numbers a row: a hollow dot before, a filled one now. */
const drawDumbbells = (rows: readonly DumbbellRow[]): Drawing['draw'] => {
  const placed = rows.map((row, y) => ({ ...row, y }))
  const values = rows.flatMap(({ before, now }) => [before, now])
  const tickFormat = (tick: number) => number(tick)
  return drawRows(rows, { shape: 'dots', rowHeight: ROW_HEIGHT, values, tickFormat, isCount: true }, [
    Plot.ruleY(placed, { x1: 'before', x2: 'now', y: 'y', stroke: 'colour', strokeWidth: 2.25 }),
    Plot.dot(placed, { x: 'before', y: 'y', r: 4, fill: PAPER, stroke: 'colour', strokeWidth: 1.75 }),
    Plot.dot(placed, { x: 'now', y: 'y', r: 4, fill: 'colour', stroke: 'colour', strokeWidth: 1.75 }),
  ])
}

const rowOf = ({ name, before, now, status, growth_pct }: Movement): DumbbellRow => ({
  name,
  before,
  now,
  colour: colours[status],
  figure: `${number(before)} → ${number(now)}`,
  remark: growth_pct === null ? 'new' : change(growth_pct, 0),
})

/** The rows that are drawn: of many, the first ones that have more than a single post. */
const chosenOf = (rows: readonly Movement[]): readonly Movement[] => {
  const several = rows.filter(({ before, now }) => Math.max(before, now) > 1)
  return (rows.length > MAX_ROWS && several.length > 0 ? several : rows).slice(0, MAX_ROWS)
}

/** Brands or themes that moved, before and now. */
const movements = (answer: Social, rows: readonly Movement[], things: string, counts: string): Drawing[] => {
  if (rows.length === 0) return []
  const { snapshot, thin_base_rows, platform, coverage } = answer
  const chosen = chosenOf(rows)
  const first = chosen[0]!
  const part =
    chosen.length < rows.length
      ? `${chosen.length} of ${rows.length} ${things}, the first with more than a single post. `
      : ''
  const thin =
    thin_base_rows > 0
      ? `${thin_base_rows} of ${rows.length} ${things} have a thin base, under 10 ${counts} before: read the direction, not the size. `
      : ''
  return [
    {
      title: `${things === 'brands' ? 'Brands' : 'Themes'} in posts on ${categoryName(answer.category)}`,
      unit: unitLine(
        `${counts === 'mentions' ? 'Mentions' : 'Posts'}, ${platform === 'all' ? 'all platforms' : platform}`,
        `${dayRange(snapshot.from, snapshot.to)} against ${dayRange(snapshot.prior_from, snapshot.prior_to)}`,
        'growth in grey',
      ),
      key: [
        { mark: 'hollow', colour: 'accent', text: 'before' },
        { mark: 'dot', colour: 'accent', text: 'now, new or rising' },
        { mark: 'dot', colour: 'second', text: 'now, falling' },
        { mark: 'dot', colour: 'grey', text: 'now, flat' },
      ],
      note: `${part}${thin}${coverage.sufficient ? '' : coverage.note}`.trim(),
      finding: `Dot plot of ${things}, before and now. First is ${first.name} with ${first.before} ${counts} before and ${first.now} now.`,
      draw: drawDumbbells(chosen.map(rowOf)),
    },
  ]
}

export const momentumPlots = (answer: Answer<typeof brandMomentum>): Drawing[] =>
  movements(
    answer,
    answer.brands.map(({ brand, mentions, prior_mentions, ...row }) => ({
      ...row,
      name: brand,
      before: prior_mentions,
      now: mentions,
    })),
    'brands',
    'mentions',
  )

export const topicPlots = (answer: Answer<typeof topicTrends>): Drawing[] =>
  movements(
    answer,
    answer.topics.map(({ theme, posts, prior_posts, ...row }) => ({
      ...row,
      name: theme,
      before: prior_posts,
      now: posts,
    })),
    'themes',
    'posts',
  )
