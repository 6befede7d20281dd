/** Words that names use for one thing: spellings of English and German and what people say for short. Folded, in the singular. */
const GROUPS = `
  aluminium aluminum
  aubergine eggplant
  barbecue barbeque bbq
  catsup ketchup ketschup
  chickpea garbanzo
  chile chili chilli
  choc chocolate
  coca coke
  color colour
  courgette zucchini
  diaper nappy
  donut doughnut
  fiber fibre
  flavor flavour
  fridge refrigerator
  gray grey
  joghurt jogurt yoghurt yogourt yogurt
  licorice liquorice
  majo mayo mayonnaise
  mic microphone
  mozza mozzarella
  omelet omelette
  parm parmesan
  prawn shrimp
  television tv
  veggie vegetable
  whiskey whisky
  year yo yr`

const OTHERS: ReadonlyMap<string, readonly string[]> = new Map(
  GROUPS.trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap((group) => group.map((word) => [word, group.filter((other) => other !== word)] as const)),
)

/** The other words for the same thing. */
export const synonymsOf = (word: string): readonly string[] => OTHERS.get(word) ?? []
