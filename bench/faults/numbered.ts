/** A query of the sample lake that is another for each number, and costs the same. */
export const computed = '/v1/analyst/inflation?department=grocery&granularity=daily&days={days}'

/** The path of a request, by its number. */
export const numbered = (path: string, number: number): string =>
  path.replace('{days}', String(900 + (number % 900))).replace('{n}', String(number))
