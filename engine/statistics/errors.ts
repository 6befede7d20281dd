export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

export const rootMeanSquare = (values: readonly number[]): number =>
  Math.sqrt(meanOf(values.map((value) => value * value)))
