/** A query over the sample lake that differs for each number but has the same cost. */
export const computed = '/v1/analyst/inflation?department=grocery&granularity=daily&days={days}'

/** The path of a request with its number filled in. */
export const numbered = (path: string, number: number): string =>
  path.replace('{days}', String(900 + (number % 900))).replace('{n}', String(number))
