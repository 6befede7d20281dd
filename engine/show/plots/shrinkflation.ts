import type { shrinkflation } from '../../queries/analyst/shrinkflation.ts'
import type { Answer } from '../../queries/query.ts'
import { counted, number } from '../text.ts'
import type { Drawing } from './draw.ts'
import { change } from './format.ts'
import { ranking } from './ranked.ts'
import { countryOf, subject, unitLine, windowDays } from './scope.ts'

/** How many listings changed their size, by what that did to their prices. */
export const shrinkflationPlots = (answer: Answer<typeof shrinkflation>): Drawing[] =>
  ranking({
    title: `How sizes of ${subject(answer)} change`,
    unit: unitLine('Changes of size; their mean size in grey', countryOf(answer), windowDays(answer)),
    rows: answer.kinds.map(({ kind, change_count, mean_size_change_pct }) => ({
      name: kind,
      value: change_count,
      figure: number(change_count),
      remark: change(mean_size_change_pct),
    })),
    things: 'kinds',
    tickFormat: (tick) => number(tick),
    isCount: true,
    note: `${counted(answer.shrunk_count, 'listing')} shrank and ${number(answer.grown_count)} grew. Of ${counted(answer.matched_count, 'matched listing')} that makes prices per unit ${change(answer.size_effect_pct)}.`,
  })
