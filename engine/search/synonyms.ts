/** Words that names use for one thing: spellings and regional words of English, German, Spanish and French, countries, and what people say for short. Folded, in the singular. */
const GROUPS = `
  3 drei three tres trois
  4 cuatro four quatre quattro vier
  5 cinco cinq cinque five funf
  aguacate palta
  alubia frijol judia
  aluminium aluminum
  aprikose marille
  argentina argentine argentinian
  aromatica aromatico perfumada perfumado
  arveja chicharo guisante
  aubergine eggplant melanzani
  australia australian
  austria austrian
  auto automatic
  barbecue barbeque bbq
  beet beetroot
  belgian belgium
  betabel remolacha
  blaubeere heidelbeere
  bleuet myrtille
  blumenkohl karfiol
  brotchen semmel
  burger hamburguesa
  broth stock
  cabello pelo
  cacahuate cacahuete mani
  cacao cocoa
  camaron gamba
  canada canadian
  canceling cancelling
  catsup ketchup ketschup
  cellphone smartphone
  center centre
  champu shampoo
  chickpea garbanzo
  chile chili chilli
  china chinese
  choc choco chocolate schoko
  choclo elote
  chunky crunchy
  cilantro coriander
  coated covered
  coca coke
  color colour
  combi combination
  computer pc
  congelada congelado ultracongelada ultracongelado
  cooktop hob
  cornflour cornstarch
  courgette zucchini
  damen frauen women
  decaf decaffeinated
  deo deodorant
  desnatada descremada desnatado descremado
  diaper nappy
  disc disk
  donut doughnut
  durazno melocoton
  duschbad duschgel
  earbud earphone
  eierschwammerl pfifferling
  electric electronic
  erdapfel kartoffel
  faschierte hackfleisch
  feldsalat vogerlsalat
  fiber fibre
  flavor flavour
  france french
  fresa frutilla
  fridge refrigerator
  fruchtgummi gummibarchen
  garbage rubbish trash
  gaseosa refresco
  germ hefe
  german germany
  geschirrspulmittel handspulmittel spulmittel
  golosina gominola
  gr grosse
  gray grey
  greece greek
  ground milled
  haferdrink hafermilch
  hahnchen hendl huhn
  hdtv television tv
  herren men
  india indian
  ireland irish
  italian italy
  jam preserve
  japan japanese
  joghurt jogurt yaourt yoghurt yogourt yogur yogurt
  johannisbeere ribisel
  jugo zumo
  karotte mohre
  klopapier toilettenpapier
  konfiture marmelade
  korea korean
  kren meerrettich
  kukuruz mais
  less low reduced
  licorice liquorice
  light lite
  limo limonade
  majo mayo mayonnaise
  mandeldrink mandelmilch
  memory ram
  mexican mexico
  mic microphone
  mold mould
  mozz mozza mozzarella
  navigation navigator
  oatmeal porridge
  obers rahm sahne
  omelet omelette
  pajama pyjama
  papa patata
  paradeiser tomate
  parm parmesan
  pflaume zwetschge zwetschke
  pflaumenmus powidl
  poland polish
  portugal portuguese
  prawn shrimp
  projection projector
  puderzucker staubzucker
  quark topfen
  refurb refurbished
  rutabaga swede
  schlagobers schlagsahne
  schoko schokolade
  scotland scottish
  semidesnatada semidescremada semidesnatado semidescremado
  sirup syrup
  slim slimline
  sojadrink sojamilch
  soy soya
  spain spanish
  ternera vacuno
  thai thailand
  tire tyre
  veggie vegetable
  whiskey whisky
  year yo yr
  zahncreme zahnpasta`

const OTHERS = new Map<string, readonly string[]>()
for (const line of GROUPS.trim().split('\n')) {
  const group = line.trim().split(' ')
  for (const word of group) OTHERS.set(word, [...(OTHERS.get(word) ?? []), ...group.filter((other) => other !== word)])
}

/** The other words for the same thing. */
export const synonymsOf = (word: string): readonly string[] => OTHERS.get(word) ?? []
