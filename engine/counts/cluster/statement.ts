import { priceClaimMacros } from '../../statistics/price-claim.ts'
import { priceRelativeMacros } from '../../statistics/price-relative.ts'
import { priceSettingMacros } from '../../statistics/price-setting.ts'
import { promotionMacros } from '../../statistics/promotion.ts'
import { shrinkflationMacros } from '../../statistics/shrinkflation.ts'
import { createRelations, duckdbRelations, relationTexts, type Variants } from '../variants.ts'
import { functionsOf, inClickhouse } from './dialect.ts'

/**
 * The functions of statements: those of statistics/, and what ClickHouse lacks. Its round() goes to the even neighbour, that
 * of DuckDB away from zero. A cast would fail at the infinity that is below the mark of an unknown quotient.
 */
const FUNCTIONS = [
  "(x) -> accurateCastOrNull(trunc(x + if(x < 0, -0.5, 0.5)), 'Int64') AS half_away",
  "(unit, day) -> multiIf(unit = 'week', toMonday(day), unit = 'month', toStartOfMonth(day), day) AS start_of",
  '(day) -> 86400 * toInt64(toInt32(day)) AS epoch',
  ...functionsOf(priceRelativeMacros + promotionMacros + priceClaimMacros + priceSettingMacros + shrinkflationMacros),
].join(',\n  ')

/** Relations that cannot be written alike, or are much less work in another way. */
const OWN = relationTexts(new URL('./relations/', import.meta.url))

/** The relations that are made from those of DuckDB. */
export const translatedRelations: ReadonlyMap<string, string> = new Map(
  [...duckdbRelations].filter(([name]) => !OWN.has(name)).map(([name, sql]) => [name, inClickhouse(sql)]),
)

const withRelations = createRelations(new Map([...translatedRelations, ...OWN]), () => 'AS')

const LEADING_WITH = /^WITH /m

/** A statement with the functions and relations that it may use. */
export const completeStatement = (sql: string, variants: Variants): string => {
  const complete = withRelations(sql, variants)
  if (LEADING_WITH.test(complete)) return complete.replace(LEADING_WITH, () => `WITH ${FUNCTIONS},\n  `)
  return `WITH ${FUNCTIONS}\n${complete}`
}
