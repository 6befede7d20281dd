/** Words that names use for one thing: spellings of English and German and what people say for short. Folded, in the singular. */
const GROUPS = `
  aluminium aluminum
  aprikose marille
  aubergine eggplant
  barbecue barbeque bbq
  catsup ketchup ketschup
  chickpea garbanzo
  chile chili chilli
  choc chocolate
  cilantro coriander
  coca coke
  color colour
  courgette zucchini
  diaper nappy
  donut doughnut
  erdapfel kartoffel
  faschierte hackfleisch
  fiber fibre
  flavor flavour
  fridge refrigerator
  garbage rubbish trash
  gray grey
  joghurt jogurt yoghurt yogourt yogurt
  karotte mohre
  less low reduced
  licorice liquorice
  light lite
  majo mayo mayonnaise
  memory ram
  mic microphone
  mozz mozza mozzarella
  obers rahm sahne
  omelet omelette
  pajama pyjama
  paradeiser tomate
  parm parmesan
  prawn shrimp
  quark topfen
  soy soya
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
