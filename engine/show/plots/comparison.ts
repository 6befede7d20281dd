import type { AnswerField } from '../answer-fields.ts'
import type { Headline } from '../headline.ts'
import { number, valueText } from '../text.ts'
import { lowerFirst } from '../title.ts'
import type { Drawing } from './draw.ts'
import { drawForest, type ForestRow } from './forest.ts'
import { percentTick } from './inflation.ts'
import type { QuotedAnswer } from './plot.ts'
import type { TickFormat } from './ticks.ts'

const boundsOf = ({ interval }: Headline) => {
  const [low, high] = [interval?.low.value, interval?.high.value]
  return typeof low === 'number' && typeof high === 'number' ? { low, high } : null
}

/** What a value is read against: a level of 1 for an index or ratio, else zero. */
const referenceFor = ({ unit }: AnswerField): number => (unit === 'index' || unit === 'ratio' ? 1 : 0)

const tickFormatFor = ({ unit, name }: AnswerField): TickFormat =>
  unit === 'percent' && name.includes('change') ? percentTick : (tick) => number(tick)

/** The headlines of several answers on one scale; none where fewer than two have a value. */
export const comparisonDrawings = (compared: readonly QuotedAnswer[]): Drawing[] => {
  const quoted = compared.flatMap(({ name, answer, headline }) =>
    headline && typeof headline.value === 'number' ? [{ name, answer, headline, value: headline.value }] : [],
  )
  const [first] = quoted
  if (!first || quoted.length < 2) return []
  const { field, interval } = first.headline
  const rows = quoted.map(({ name, answer, headline, value }): ForestRow => {
    const bounds = boundsOf(headline)
    const text = (figure: number) => valueText(figure, field, answer, 'typeset')
    const remark = bounds && `${text(bounds.low)} to ${text(bounds.high)}`
    return { name, value, interval: bounds, figure: text(value), remark: remark ?? undefined }
  })
  const hasInterval = rows.some((row) => row.interval)
  const name = interval?.isMiddleHalf ? 'middle half' : '95% interval'
  return [
    {
      title: `${field.title}, compared`,
      unit: `${field.title}${field.unit === 'money' ? `, ${first.answer.currency}` : field.unit === 'percent' ? ', per cent' : ''}`,
      key: [
        ...(hasInterval ? [{ mark: 'dot', colour: 'accent', text: `with ${name}` } as const] : []),
        ...(rows.some((row) => !row.interval)
          ? [{ mark: 'hollow', colour: 'accent', text: 'without interval' } as const]
          : []),
      ],
      finding: `Dot plot of ${lowerFirst(field.title)}: ${rows.map((row) => `${row.name} ${row.figure}`).join(', ')}.`,
      draw: drawForest(rows, referenceFor(field), tickFormatFor(field)),
    },
  ]
}
