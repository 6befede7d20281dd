/** The learnt pairs by level of each comparison: how many are of one product, and how many of two. */
export type Levels = readonly { name: string; level: number; alike: number; unlike: number }[]

/** By comparison, what each of its levels adds to the logarithm of the odds; `prior` has one, what every pair starts with. */
export type Weights = Record<string, readonly number[]>

/** What levels are worth where a lake has too few pairs to tell. */
export const USUAL: Weights = {
  prior: [-1],
  words: [
    ...[-8, -5, -3],
    ...[-8, -5, -3],
    ...[-6, -2, -1],
    ...[-3, -1, 0],
    ...[-1, -0.3, 1],
    ...[0.5, 0.5, 2.8],
    ...[1.5, 1.7, 3.2],
    ...[2.5, 3, 3.5],
    ...[3, 3.7, 4.7],
    ...[3.5, 3.7, 5],
  ],
  model: [0.2, -1.2, -5, 0.3, 0, 3.2],
  measure: [...[0, -2, 0.5], ...[-4, -4.5, -3.5], ...[1, 0, 1]],
  number: [0, 0, -1, 0.5, 0.6],
  colour: [0, -2.7, 0.8],
  kind: [0, -3, -2, 1],
  part_number: [0, -2.6, 2.4, 6],
  brand: [0, -3, -0.3, 0.4, 0.4],
  lead: [-3.5, -0.2, 0.3],
  price: [0, -1.8, -0.2, 0.4, 0.8, 1.2],
}

/** How many pairs outweigh what is usual. */
const USUAL_PAIRS = 30

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Between a weight of this many pairs and the usual one. */
const between = (weight: number, pairs: number, usual: number): number =>
  pairs === 0 ? usual : (pairs * weight + USUAL_PAIRS * usual) / (pairs + USUAL_PAIRS)

/** The logarithm of how much more often each level is seen in pairs of one product. */
const weightsOf = (levels: Levels, usual: readonly number[]): number[] => {
  const [alike, unlike] = [sum(levels.map((row) => row.alike)), sum(levels.map((row) => row.unlike))]
  return usual.map((weight, level) => {
    const row = levels.find((row) => row.level === level)
    if (!row || row.alike === 0 || row.unlike === 0) return weight
    const pairs = (row.alike * row.unlike) / (row.alike + row.unlike)
    return between(Math.log(row.alike / alike) - Math.log(row.unlike / unlike), pairs, weight)
  })
}

/** Counts of the learnt pairs. */
export type LearntCounts = { pairs: number; found: number; l_offers: number; r_offers: number }

/** Of a one-to-one matching: the more of a side is matched, the less likely that an offer has nobody. */
const priorOf = ({ pairs, found, l_offers, r_offers }: LearntCounts): number => {
  const free = (offers: number) => Math.max(0.02, 1 - found / offers)
  if (found === 0 || found >= pairs) return USUAL.prior![0]!
  const prior = Math.log(found / (pairs - found) / (free(l_offers) * free(r_offers)))
  return between(prior, (found * (pairs - found)) / pairs, USUAL.prior![0]!)
}

export const learnt = (levels: Levels, found: LearntCounts): Weights => ({
  ...Object.fromEntries(
    Object.entries(USUAL).map(([name, usual]) => [
      name,
      weightsOf(
        levels.filter((row) => row.name === name),
        usual,
      ),
    ]),
  ),
  prior: [priorOf(found)],
})
