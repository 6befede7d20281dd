import { Refusal } from './problem.ts'

/**
 * Parses a query string strictly: a repeated name keeps all its values, so that it can be refused; names are kept as
 * they are, `__proto__` too. Throws INVALID_PARAMS for malformed percent-encoding.
 */
export const parseQueryString = (text: string): Record<string, string | string[]> => {
  const given: Record<string, string | string[]> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2).map(decode)
    const before = given[name]
    given[name] = before === undefined ? value : [before, value].flat()
  }
  return given
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Refusal('INVALID_PARAMS', `${text.slice(0, 60)}: is not percent-encoded UTF-8`, {
      parameter: text.slice(0, 60),
    })
  }
}
