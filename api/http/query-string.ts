import { invalidParam } from '../../engine/index.ts'

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidParam(text.slice(0, 60), 'expected percent-encoded UTF-8')
  }
}

/**
 * Parses a query string strictly: a repeated name keeps all its values, so that it can be refused; any name is allowed,
 * even `__proto__`. Throws INVALID_PARAMS for malformed percent-encoding.
 */
export const parseQueryString = (text: string): Record<string, string | string[]> => {
  const given: Record<string, string | string[]> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2).map(decode)
    const before = given[name]
    if (Array.isArray(before)) before.push(value)
    else given[name] = before === undefined ? value : [before, value]
  }
  return given
}
