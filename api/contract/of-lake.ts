import { COUNTRY_CHOICES, type Countries, CURRENCY_CHOICES, USUAL_COUNTRY } from '../../engine/index.ts'

/** The countries that the queries of a lake accept, and the one that they are about without that parameter; null where they need it. */
export type LakeCountries = { accepted: Countries; usual: string | null }

const isSame = (values: unknown, choices: readonly string[]): values is unknown[] => {
  const texts = Array.isArray(values) ? values.filter((value) => value !== null) : []
  return texts.length === choices.length && choices.every((choice) => texts.includes(choice))
}

/** Choices with those that a lake has besides; null stays last. */
const widened = (values: readonly unknown[], further: Iterable<string>): unknown[] => [
  ...new Set([...values.filter((value) => value !== null), ...further]),
  ...(values.includes(null) ? [null] : []),
]

/**
 * A part of the contract as it is for a lake: where it names the usual countries or currencies it names those that the lake
 * holds besides, and the country of the lake is the default, if it has one. For a lake of the usual ones it is the contract itself.
 */
export const ofLake = <S>(schema: S, countries: LakeCountries | undefined): S => {
  if (!countries) return schema
  const { accepted, usual } = countries
  const currencies = [...accepted.values()].map(({ currency }) => currency)
  const rewrite = (_: string, value: unknown): unknown => {
    const { enum: values } = (value ?? {}) as { enum?: unknown }
    if (isSame(values, CURRENCY_CHOICES)) return { ...(value as object), enum: widened(values, currencies) }
    if (!isSame(values, COUNTRY_CHOICES)) return value
    const { default: initial } = value as { default?: unknown }
    const changed = { ...(value as object), enum: widened(values, accepted.keys()) }
    // JSON leaves out what is undefined.
    return initial === USUAL_COUNTRY ? { ...changed, default: usual ?? undefined } : changed
  }
  return JSON.parse(JSON.stringify(schema, rewrite)) as S
}
