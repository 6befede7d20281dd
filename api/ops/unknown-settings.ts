import { editDistance } from '../../engine/index.ts'

const PREFIX = 'SHELFMARK_'
/** Variables of shelfmark-pay and shelfmark-mcp, which may share the environment. */
const ELSEWHERE = ['SHELFMARK_WALLET', 'SHELFMARK_URL', 'SHELFMARK_MAX_PRICE', 'SHELFMARK_BUDGET']

const distanceOf = (name: string, setting: string): number => {
  const [from, to] = [name, setting].map((text) => text.slice(PREFIX.length).replaceAll('_', '')) as [string, string]
  return editDistance(from, to, Math.max(from.length, to.length))
}

/** The variables that look like settings and are none, each with the nearest name: a typing error changes nothing. */
export const unknownSettings = (
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !names.includes(name) && !ELSEWHERE.includes(name))
    .map((name) => {
      const nearest = [...names].sort((one, other) => distanceOf(name, one) - distanceOf(name, other))[0]
      return `${name}: there is no such setting, so that it has no effect; the nearest is ${nearest}`
    })
