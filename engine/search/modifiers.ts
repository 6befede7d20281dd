import { singular } from '../contract/text.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Modifiers by language: words for grade, state, size or colour, which do not make a product another kind. Folded, in the singular. */
const MODIFIERS = {
  english: words(`
    added aged all assorted authentic baked basic best big boneless bulk chewy choice chopped churned classic club cold cooked cool creamy crispy
    crunchy crushed cultured cut deluxe diced double dried dry essential extra fairtrade family fancy filtered fine free fresh freshly frozen full
    genuine giant golden good gourmet grade grated great grilled ground half hardwood homestyle homogenized hot imported instant jumbo large
    lean light lightly lite local low luxury marinated medium mild mini minced mixed natural new no non nonfat not old organic original
    pack package partly pasteurized peeled per piece pitted pkg plain plus premium pressed pro quality quick raw ready real reduced regular
    rich ripe roasted salted seasoned seedless selected shredded signature simple simply single size sized skim skimmed skinless
    slice sliced small smoked smooth soft special spicy sprouted squeeze steamed style super tall thick thin toasted traditional trimmed triple twin ultra
    uncooked uncured unpeeled unsalted unsulfured unsulphured unsweetened value variety virgin wet whole wild young zesty lactose-free
    edition gen generation max open refurbished retail sealed series used version
    beige black blue brown charcoal clear color colour dark gold graphite green grey gray navy pink purple red silver teal
    white yellow`),
  french: words(`
    biologique blanc blanche bio brun brune congele cru ecreme entier entiere frais fraiche fume grand grande hache hachee jaune leger
    legere moyen moyenne nature naturel naturelle noir noire paquet petit petite pur rape rapee rouge sale sucre tranche tranchee vert
    verte`),
  german: words(`
    bio blau bunt dunkel duo echt entrahmt fein feine feiner fettarm frisch frische frischer ganz ganze gebacken gebraten gekocht gelb gelbe
    gemahlen gemischt gerauchert gerieben gesalzen geschalt geschnitten gesusst gewurfelt glatt glutenfrei grob grobe gross grosse grun grune gruner
    halbfett halbiert handgemacht hell helle kalt kernlos klein kleine kraftig laktosefrei leicht leichte loslich mager mild milde milder
    natur naturbelassen naturell naturlich naturtrub neu ohne passiert pikant reif rein reine roh rot rote roter sanft sanfte scharf schwarz schwarze schwarzer
    spritzig still stuckig suss susse tiefgekuhlt tk ungesalzen ungesusst vegan vegetarisch weich weiss weisse weisser wurzig zart zarte`),
  italian: words('aoc aop doc docg dop frizzante igp igt integrale lisce rigate spumante'),
  spanish: words(`
    amarillo amarilla azul blanco blanca chico chica clasico clasica congelado congelada descremado descremada deslactosado deslactosada
    diet dulce entero entera especial fino fina fresco fresca grado gran grande grueso gruesa instantaneo instantanea largo light maduro
    madura mediano mediana molido molida negro negra nuevo organico organica pequeno pequena picado picada rallado rallada rojo roja
    seco seca semidescremado suelto suelta tradicional verde`),
}

/** Also as the words of names are, whose English singular is no word: `kernlo`. */
const ALL: ReadonlySet<string> = new Set(
  Object.values(MODIFIERS)
    .flat()
    .flatMap((word) => [word, singular(word)]),
)

/** Words by which a thing is without something: a name that lacks them may say the opposite. */
const ABSENCE: ReadonlySet<string> = new Set(words('free no non not ohne sans sin without'))

/** Parts and forms in which a thing is sold: `salmon fillet` is salmon. */
const PARTS: ReadonlySet<string> = new Set(
  words(`
    alternative assortment block bulb bunch chunk crown crumble crust crystal cube duo fillet filet floret leaf log packet pair pearl piece portion
    quarter rasher round shred slice spear stalk stick substitute system trio wedge
    atado bandeja cubo filete hoja medallon porcion rebanada rodaja tira trozo unidad
    fatia lata pedaco portion tranche morceau
    stuck stucke scheibe`),
)

/** Packaging, unless it names the product itself. */
const PACKAGING: ReadonlySet<string> = new Set(
  words(`
    approx bag botella bottle box bunch caja can canned carton container each ea frasco jar jug lata paquete pouch sachet sobre sold
    stick tin tray tub unit`),
)
/** Of these the ones that stand last in a name without naming the product: `Lager Tall Can`. */
const LAST: ReadonlySet<string> = new Set(words('bottle can carton jar jug pouch tin tub'))

/** What these are of. */
const MATERIALS: ReadonlySet<string> = new Set(words('aluminum glass plastic'))

/** Whether a word does not make a product another kind. */
export const isModifier = (word: string): boolean => ALL.has(word)
export const isAbsence = (word: string): boolean => ABSENCE.has(word)
export const isPart = (word: string): boolean => PARTS.has(word)
export const isPackaging = (word: string): boolean => PACKAGING.has(word)
/** Whether a word at the end of a name may say only how the thing is packed. */
export const isContainer = (word: string): boolean => LAST.has(word)
/** Whether a word before a container only says what that is made of: `Glass Bottle`. */
export const isMaterial = (word: string): boolean => MATERIALS.has(word)
