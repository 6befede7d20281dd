const SHARES = ['less than 60 %', '60 to 90 %', '90 % or more']

const words = (level: number): string => {
  const tenth = Math.floor(level / 3)
  return `The cosine of their words, weighted by rarity, is ${tenth / 10} to ${(tenth + 1) / 10}; the longer name has ${SHARES[level % 3]} of the shorter one's.`
}

const SIZES = ['Their sizes cannot be compared', 'Their sizes differ', 'Their sizes are the same']
const MEASURES = [
  'their titles share no unit of measure',
  'measures of one unit differ',
  'measures of each shared unit are the same',
]

/** What each level of a comparison says (data/matches.md), in the order of the levels. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  model: [
    'Neither has a model code.',
    'One has a model code, the other has none.',
    'Their model codes differ.',
    'Their model codes begin alike.',
    'Some of their model codes are the same, others differ.',
    'All model codes of one are codes of the other.',
  ],
  measure: SIZES.flatMap((sizes) => MEASURES.map((measures) => `${sizes}; ${measures}.`)),
  number: [
    'Neither has a number.',
    'One has numbers, the other has none.',
    'Their numbers differ.',
    'All numbers of one are numbers of the other.',
    'Their numbers are the same.',
  ],
  colour: ['At most one names a colour.', 'Their colours differ.', 'They share a colour.'],
  kind: [
    'Both are single pieces, and no accessories.',
    'Their pack counts differ.',
    'They are of different kinds: kit, case, charger, mount or part.',
    'Their pack count and kind are the same.',
  ],
  part_number: [
    'At most one has a part number.',
    'Their part numbers differ.',
    'One part number begins with the other.',
    'Their part numbers are the same.',
  ],
  brand: [
    'At most one has a brand.',
    'Their brands differ.',
    'The brand of one is in the title of the other.',
    'One brand begins with the other.',
    'Their brands are the same.',
  ],
  lead: [
    'The first word of either is not in the other.',
    'The first word of one is in the other.',
    'They begin with the same word.',
  ],
  price: [
    'Their prices are unknown, or of two countries.',
    'One price is more than 2.2 times the other.',
    'One price is 1.5 to 2.2 times the other.',
    'One price is 1.2 to 1.5 times the other.',
    'One price is 1.05 to 1.2 times the other.',
    'Their prices differ by less than 5 %.',
  ],
}

/** The comparisons of a pair, in the order of the columns of matches. */
export const COMPARISONS = ['words', ...Object.keys(SENTENCES)]

/** A level of a comparison as a sentence. */
export const sentenceOf = (comparison: string, level: number): string =>
  comparison === 'words' ? words(level) : SENTENCES[comparison]![level]!
