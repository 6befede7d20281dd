import { EngineError, invalidParam } from '../contract/errors.ts'
import { currentDays } from '../contract/window.ts'
import type { Catalog } from './catalog.ts'
import type { OfficialSeries } from './official-series.ts'

const MAX_NAMED = 5

const nameOf = ({ series, title }: OfficialSeries): string => (title === null ? series : `${series} (${title})`)

/**
 * The official series of a country that was sent, of those with a release by as_of. NOT_PUBLISHED where there is none,
 * INVALID_PARAMS for another one, with what there is: first the series whose id or title has the text.
 */
export const resolveOfficialSeries = async (
  sent: string,
  country: string,
  catalog: Catalog,
): Promise<OfficialSeries> => {
  const { before } = currentDays(catalog.as_of, 0)
  const ofCountry = (await catalog.officialSeries()).filter((one) => one.country === country)
  const released = ofCountry.filter(({ released_from }) => released_from < before)
  if (released.length === 0)
    throw new EngineError(
      'NOT_PUBLISHED',
      ofCountry.length > 0
        ? `No official series of ${country} was released by ${catalog.as_of.toISOString().slice(0, 10)}; the first release is of ${ofCountry.map(({ released_from }) => released_from).sort()[0]}.`
        : `This lake has no official series of ${country}: refresh it with an official_series feed, whose columns are in data/reference.md.`,
      { feeds: ['official_series'] },
    )
  const text = sent.toLowerCase()
  const series = released.find((one) => one.series.toLowerCase() === text)
  if (series) return series
  const hasText = (one: OfficialSeries): boolean => nameOf(one).toLowerCase().includes(text)
  const ranked = [...released.filter(hasText), ...released.filter((one) => !hasText(one))]
  const more = ranked.length > MAX_NAMED ? ` and ${ranked.length - MAX_NAMED} more` : ''
  throw invalidParam(
    'series',
    `no official series of ${country} is "${sent}"; there are ${ranked.slice(0, MAX_NAMED).map(nameOf).join(', ')}${more}`,
    { input: sent, accepted: ranked.map((one) => one.series) },
  )
}
