import { isModifier } from './modifiers.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Words that say what a kind is, each with the nouns that names may follow by it or not: `cheddar` is `cheddar cheese`. Folded, in the singular. */
const KINDS = {
  apple: words('fuji honeycrisp'),
  bean: words('cannellini edamame garbanzo pinto'),
  beer: words('ale hefeweizen ipa lager pilsner porter radler stout'),
  beverage: words('kombucha lemonade'),
  blend: words('seasoning spice'),
  brandy: words('armagnac cognac'),
  bread: words('baguette brioche challah ciabatta focaccia naan pita pumpernickel sourdough'),
  candy: words('gummy licorice taffy'),
  cereal: words('flake granola muesli'),
  cheese: words(`
    asiago brie burrata camembert cheddar colby edam emmental emmentaler feta gorgonzola gouda gruyere halloumi havarti jack manchego mascarpone
    mozzarella muenster paneer parmesan parmigiano pecorino provolone ricotta romano roquefort stilton swiss`),
  computer: words('chromebook laptop notebook'),
  cookie: words('biscotti gingersnap macaroon shortbread snickerdoodle'),
  cracker: words('graham saltine'),
  dip: words('guacamole hummus salsa tzatziki'),
  drink: words('kombucha lemonade'),
  drive: words('hdd ssd'),
  fish: words(
    'catfish cod haddock halibut herring mackerel pollock salmon sardine snapper sole swordfish tilapia trout tuna',
  ),
  heart: words('artichoke lettuce romaine'),
  lettuce: words('iceberg romaine'),
  liqueur: words('amaretto limoncello sambuca schnapps'),
  melon: words('cantaloupe honeydew'),
  mix: words('seasoning'),
  mushroom: words('chanterelle cremini crimini porcini portobello shiitake'),
  noodle: words('ramen soba spaghetti udon vermicelli'),
  nut: words('almond cashew hazelnut macadamia pecan pistachio walnut'),
  oil: words('canola'),
  orange: words('clementine mandarin'),
  pasta: words(`
    bucatini cavatappi farfalle fettuccine fusilli linguine macaroni orzo pappardelle penne ravioli rigatoni rotini spaghetti tagliatelle
    tortellini ziti`),
  pepper: words('habanero jalapeno poblano serrano'),
  potato: words('russet'),
  rice: words('arborio basmati jasmine'),
  salmon: words('chinook coho sockeye'),
  sauce: words('aioli alfredo hoisin ketchup marinara pesto salsa sriracha tamari tzatziki worcestershire'),
  sausage: words('bratwurst chorizo kielbasa'),
  seed: words('chia flax'),
  soup: words('bisque chowder gazpacho minestrone'),
  spread: words('aioli hummus'),
  squash: words('butternut zucchini'),
  steak: words('ribeye sirloin'),
  tea: words('chai darjeeling oolong rooibos sencha'),
  whiskey: words('bourbon scotch'),
  whisky: words('bourbon scotch'),
  wine: words(`
    albarino barbera barolo beaujolais cabernet carmenere cava champagne chardonnay chianti gewurztraminer grenache grigio gris lambrusco
    madeira malbec marsala merlot moscato pinot pinotage port prosecco riesling rioja rose sangria sauvignon sherry shiraz syrah
    tempranillo torrontes vermouth viognier zinfandel`),
  yogurt: words('skyr'),
} as const

const BY_GENERAL: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(KINDS).map(([general, kinds]) => [general, new Set(kinds)]),
)

const ALL: ReadonlySet<string> = new Set(Object.values(KINDS).flat())

/** Whether a word says alone what a kind is. */
export const isKindWord = (word: string): boolean => ALL.has(word)

/** The noun before a general word, modifiers apart, if it names a kind of it: `cheddar` before `cheese`. */
export const kindBefore = (general: string, before: readonly string[]): string | undefined => {
  const kinds = BY_GENERAL.get(general)
  const noun = kinds && before.findLast((word) => !isModifier(word))
  return noun !== undefined && kinds?.has(noun) ? noun : undefined
}

/** Whether a word only repeats what the noun before it is. */
export const isGeneralAfter = (word: string, before: readonly string[]): boolean =>
  kindBefore(word, before) !== undefined

const AT_END = new RegExp(
  Object.entries(KINDS)
    .map(([general, kinds]) => `(?<=\\b(?:${kinds.join('|')})s?) ${general}(?:e?s)?$`)
    .join('|'),
  'i',
)

/** A request without a general word at its end that its kind implies: `shredded cheddar cheese` is `shredded cheddar`. */
export const withoutGeneral = (text: string): string => text.replace(AT_END, '')
