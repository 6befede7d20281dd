import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved, withNewestObserved } from '../../catalog/answer.ts'
import { moneyIn } from '../../catalog/countries.ts'
import { resolveScope } from '../../catalog/scope.ts'
import { meta, resolved, scopeEcho, window } from '../../contract/blocks.ts'
import { dayNumber, dayText } from '../../contract/days.ts'
import { EMPTY_SCOPE, sources } from '../../contract/definition.ts'
import { EngineError } from '../../contract/errors.ts'
import { field, headline } from '../../contract/field.ts'
import { categoryOrDepartment, categoryScope } from '../../contract/params.ts'
import { percent } from '../../contract/round.ts'
import { resolveWindow, STANDS_DAYS } from '../../contract/window.ts'
import { type Counted, count, groupsOf, observedSpan, spanOf, total } from '../../counts/count.ts'
import { FENCE, jevonsChange } from '../../statistics/price-relative.ts'
import {
  MAX_SIZE_RATIO,
  MIN_SIZE_DAYS,
  SAME_SIZE_PERCENT,
  SIZE_KINDS,
  type SizeKind,
  sizeKindOf,
  sizeKinds,
} from '../../statistics/shrinkflation.ts'
import { lastMonths } from '../last-months.ts'
import { defineQuery } from '../query.ts'
import { OF_RETAILER, sizeChange, sizeChangeList, sizeChangeRow } from '../size-changes.ts'

const MAX_MONTHS = 37
/** Fewer matched listings say nothing of a category. */
const MIN_MATCHED = 10
const MAX_LISTED = 100

const matched = count({
  from: 'size_matched',
  where: OF_RETAILER,
  by: { retailer: 'retailer_id' },
  sums: { resized: 'is_resized', price: 'price_log', size: 'size_log' },
})
const kinds = count({
  from: 'size_change',
  where: OF_RETAILER,
  by: { retailer: 'retailer_id', is_shrunk: 'is_shrunk', price: 'price_move', unit: 'unit_move' },
  sums: { size: 'size_log' },
})
type MatchedSizes = Counted<typeof matched>
type KindCounts = Counted<typeof kinds>

const effects = {
  matched_count: field.count(
    'New listings with a size that are priced in the first and the last month, within the fence.',
  ),
  resized_count: field.count('Those of them whose size changed in between.'),
  size_effect_pct: field
    .change(
      `What changes of size add to the price per unit of the matched listings; null below ${MIN_MATCHED} of them.`,
    )
    .nullable(),
  price_change_pct: field
    .change('How the prices of the same listings changed, whatever their size; null likewise.')
    .nullable(),
  unit_price_change_pct: field.change('How their prices per unit changed: both together; null likewise.').nullable(),
}

const changeCounts = {
  shrunk_count: field.count('Changes of size to a smaller one.'),
  grown_count: field.count('Changes of size to a larger one.'),
}

/** What changes of size and of price do to the listings of some groups. */
const effectsOf = (counted: MatchedSizes, groups: readonly number[]) => {
  const matched_count = groups.reduce((sum, group) => sum + counted.n[group]!, 0)
  const logOf = (name: 'price' | 'size') => groups.reduce((sum, group) => sum + counted.long(name, group), 0n)
  const [price, size] = [logOf('price'), logOf('size')]
  const change = (log: bigint) => (matched_count < MIN_MATCHED ? null : percent(jevonsChange(log, matched_count)))
  return {
    matched_count,
    resized_count: groups.reduce((sum, group) => sum + counted.sum.resized[group]!, 0),
    size_effect_pct: change(size),
    price_change_pct: change(price),
    unit_price_change_pct: change(price + size),
  }
}

const isShrunk = ({ key }: KindCounts, group: number): boolean => key.is_shrunk[group] === 1
const kindIn = (counted: KindCounts, group: number): SizeKind | null =>
  sizeKindOf({ isShrunk: isShrunk(counted, group), price: counted.key.price[group]!, unit: counted.key.unit[group]! })

const countsOf = (counted: KindCounts, isWanted: (group: number) => boolean = () => true) => ({
  shrunk_count: total(counted, (group) => isWanted(group) && isShrunk(counted, group)),
  grown_count: total(counted, (group) => isWanted(group) && !isShrunk(counted, group)),
})

/** The kinds that occur, with their changes of either direction. */
const kindRows = (counted: KindCounts) =>
  SIZE_KINDS.flatMap((kind) => {
    const groups = groupsOf(counted, (group) => kindIn(counted, group) === kind)
    const change_count = groups.reduce((sum, group) => sum + counted.n[group]!, 0)
    if (change_count === 0) return []
    const log = groups.reduce((sum, group) => sum + counted.long('size', group), 0n)
    return { kind, change_count, mean_size_change_pct: percent(jevonsChange(log, change_count)) }
  })

/**
 * Which listings contain less or more than before, and what that does to prices per unit.
 *
 * @example
 * const { size_effect_pct, size_changes } = await engine.ask(shrinkflation, { department: 'grocery' })
 * for (const { product_name, previous_size, size, size_unit } of size_changes) console.log(product_name, previous_size, size, size_unit)
 * console.log(size_effect_pct)
 */
export const shrinkflation = defineQuery({
  group: 'analyst',
  name: 'shrinkflation',
  summary: 'Which products shrink or grow in size, and what that adds to prices per unit',
  definition: {
    population:
      'New listings in scope with a size, as their columns or titles state it: all that a pack contains, in g, ml or pieces. A size counts if ' +
      `it was seen on two days, or if the listing had it for ${MIN_SIZE_DAYS} days. It changes where another text states it: a refresh reads all texts of a ` +
      `listing by the same rules. Sizes within ${SAME_SIZE_PERCENT} % of each other are the same, as units are converted. A size more than ${MAX_SIZE_RATIO} times as large, or less than ` +
      `1 / ${MAX_SIZE_RATIO} of it, or of another kind, is of another pack, and so is one that returns. Changes are those of the complete months after the first one.`,
    formula:
      `The price at a size is the median price, always a posted one, of up to ${STANDS_DAYS} days: the last on which the size before was seen, the first of the size after. ` +
      `${Object.entries(sizeKinds)
        .map(([name, meaning]) => `${name}: ${meaning}`)
        .join('; ')}. ` +
      `Matched are the listings priced in the first and the last month, without price relatives above ${FENCE} or below 1/${FENCE}. size_effect_pct = exp(mean of ` +
      '-ln(size / size before) over all of them, those of equal size too) - 1, and price_change_pct the same of the relatives of median prices; together they ' +
      'are unit_price_change_pct.',
    null_rule:
      `Changes are null below ${MIN_MATCHED} matched listings. A change has no kind where no price was observed at a size, or the size before was last seen before the ` +
      `first month (unpriced_count). Lists are empty where no size changed. Sizes are on record from the first refresh on that compared texts; NOT_PUBLISHED, free of charge, where none did. ${EMPTY_SCOPE}`,
    sources: [
      sources.prices,
      'Office for National Statistics, Shrinkflation: how many of our products are getting smaller (2017, 2019).',
      'Kinds: Bialek, R package PriceIndices, which leaves out proportional changes.',
    ],
  },
  params: z
    .object({
      ...categoryScope,
      months: z.int().min(2).max(MAX_MONTHS).default(13).meta({
        description: 'The last so many complete calendar months; sizes change after the first.',
        unit: 'count',
      }),
    })
    .superRefine(categoryOrDepartment),
  answer: z
    .object({
      ...scopeEcho,
      window,
      ...effects,
      size_effect_pct: headline(effects.size_effect_pct),
      ...changeCounts,
      unpriced_count: field.count('Those of both without a kind.'),
      size_changes: field.titled(
        'Changes',
        field.list(sizeChange, `The changes, newest first; at most ${MAX_LISTED}.`),
      ),
      kinds: field.list(
        z.object({
          kind: field.choice(SIZE_KINDS, 'How size, price and price per unit moved.'),
          change_count: field.titled('Changes', field.count('Changes of this kind.')),
          mean_size_change_pct: field.change('Geometric mean of their changes of size.'),
        }),
        'The kinds of changes that occur.',
      ),
      retailers: field.list(
        z.object({ retailer: field.text('Platform key of the retailer.'), ...changeCounts, ...effects }),
        'Retailers with matched listings or changes, most changes first.',
      ),
      resolved,
      meta,
    })
    .meta({
      id: 'Shrinkflation',
      description: 'Which listings shrink or grow, and what that adds to prices per unit.',
    }),

  async resolve({ months, ...params }, catalog) {
    if (!catalog.tables.has('listing_sizes'))
      throw new EngineError(
        'NOT_PUBLISHED',
        'This snapshot has no sizes on record, as it is of a version that did not compare the texts of listings. Refresh the lake with a feed that has new rows: sizes are kept from then on.',
        { feeds: ['price_observations', 'product_catalogue'] },
      )
    const { window, periods, judged_before } = resolveWindow(
      lastMonths(months, catalog.as_of),
      'monthly',
      catalog.as_of,
    )
    const { echo, resolved, bindings } = await resolveScope(params, catalog, judged_before)
    // Days on which the size before was seen, up to the first one of the window.
    const from = dayText(dayNumber(window.from) - STANDS_DAYS)
    return {
      bindings: {
        ...bindings,
        brand_id: null,
        counted_from: window.from,
        changed_from: lastMonths(months - 1, catalog.as_of).from,
        max_gap_days: STANDS_DAYS,
        from,
        to: window.to,
        month_from: from.slice(0, 7),
        month_to: periods.month_to,
        whole_from: periods.whole_from,
        whole_to: periods.whole_to,
        limit: MAX_LISTED,
      },
      context: await withNewestObserved({ echo, resolved, window }, bindings, catalog),
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { observed: observedSpan, matched, kinds, page: sizeChangeList },

  toAnswer({ observed, matched, kinds, page }, context, catalog) {
    const { echo, resolved, window } = context
    const span = spanOf(observed)
    if (!span || span.max < Date.parse(window.from) / 1000) throw nothingObserved(context)
    const money = moneyIn(echo.country, catalog)
    const retailers = [...new Set([...matched.key.retailer, ...kinds.key.retailer])].map((id) => ({
      retailer: catalog.platforms.get(id)!,
      ...countsOf(kinds, (group) => kinds.key.retailer[group] === id),
      ...effectsOf(
        matched,
        groupsOf(matched, (group) => matched.key.retailer[group] === id),
      ),
    }))
    const changesOf = ({ shrunk_count, grown_count }: (typeof retailers)[number]) => shrunk_count + grown_count
    return {
      ...echo,
      window,
      ...effectsOf(matched, groupsOf(matched)),
      ...countsOf(kinds),
      unpriced_count: total(kinds, (group) => kindIn(kinds, group) === null),
      size_changes: page.map((change) => sizeChangeRow(change, money, catalog.platforms)),
      kinds: kindRows(kinds),
      retailers: retailers.sort(
        (a, b) =>
          changesOf(b) - changesOf(a) || b.matched_count - a.matched_count || (a.retailer < b.retailer ? -1 : 1),
      ),
      resolved,
      meta: metaBlock(context, span),
    }
  },
})
