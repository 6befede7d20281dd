import { capitalised } from './words.ts'

/** Words in place of the abbreviations in names; an empty one is left out. */
const WORDS: Readonly<Record<string, string>> = {
  lfl: 'like-for-like',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
  std: 'standard',
  dev: 'deviation',
  coeff: 'coefficient',
  ci: 'interval',
  promo: 'promotion',
  vs: 'against',
  p10: '10th percentile',
  p25: '25th percentile',
  p50: 'median',
  p75: '75th percentile',
  p90: '90th percentile',
  gpc: 'GPC',
  url: 'address',
  pct: '',
  pricing: 'price',
  summary: '',
}

/** The title of names, one inside the other, each a name or a title already: `lfl_change_pct` as `Like-for-like change`. */
export const titleOf = (names: readonly string[]): string => {
  const words = names.flatMap((name) => name.split('_')).map((word) => WORDS[word] ?? word)
  return capitalised(words.filter((word, i) => word !== '' && word !== words[i - 1]).join(' '))
}
